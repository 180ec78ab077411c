"""The arithmetic of `make bench` on two recorded outcomes, against values that were computed by hand.

Run by tests/bench.rs. papers.json and default.json have what outcomes.json has, of one run of each engine over six mutants.
"""
import dataclasses
import json
import os
import shutil
import sys
import tempfile
import unittest
from xml.etree import ElementTree

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench"))
import apart  # noqa: E402
import cost  # noqa: E402
import curves  # noqa: E402
import growth  # noqa: E402
import marked  # noqa: E402
import outcomes  # noqa: E402
import pace  # noqa: E402
import page  # noqa: E402
import survey  # noqa: E402
import tables  # noqa: E402

PAPERS = outcomes.read(os.path.join(HERE, "papers.json"))
DEFAULT = outcomes.read(os.path.join(HERE, "default.json"))


class CostOfAKill(unittest.TestCase):
    def test_it_is_what_the_papers_design_paid_for_its_kills_over_what_their_units_cost_the_default_engine(self):
        one = cost.of(PAPERS, DEFAULT)
        # f1, f3 and g2; g1 is not proved, f2 lives: neither is paid for.
        self.assertEqual((one.mutants, one.units), (3, 2))
        # A program for each mutant: f's for f1 and for f3.
        self.assertAlmostEqual(one.papers_build, 10 * 2 + 6)
        self.assertAlmostEqual(one.papers_search, 3 + 7 + 4)
        # f's last of the two fell at 0.6 (f2's 0.9 is not asked for); g2 was missed, and takes all that g cost.
        self.assertAlmostEqual(one.default, 0.6 + (1.0 + 0.4))
        self.assertAlmostEqual(one.ratio, 40 / 2)
        # With a program for each unit f is built once, for f1 and f3.
        self.assertAlmostEqual(one.ratio_one, (10 + 6 + 14) / 2)
        self.assertAlmostEqual(one.ratio_with_shared, (40 + 4) / (2 + 1.4))
        self.assertEqual(one.missed, ("g2",))

    def test_what_is_missed_in_any_seed_is_listed_with_its_seeds_and_its_reason(self):
        one = cost.of(PAPERS, DEFAULT)
        fine = dataclasses.replace(one, seed=8, missed=())
        found = cost.missed([one, fine, dataclasses.replace(one, seed=9)], [DEFAULT] * 3)
        self.assertEqual(found, {"g2": ([7, 9], "live: infected on 3 inputs, seen on none")})

    def test_a_run_in_which_the_papers_design_kills_nothing_has_no_ratio(self):
        alive = [dataclasses.replace(mutant, dead=False) for mutant in PAPERS.mutants]
        one = cost.of(dataclasses.replace(PAPERS, mutants=alive), DEFAULT)
        self.assertIsNone(one.ratio)
        self.assertEqual(tables.spread([one.ratio]), "-")

    def test_spread_is_the_median_with_the_least_and_the_most(self):
        self.assertEqual(cost.spread([30.0, None, 10.0, 14.0]), (14.0, 10.0, 30.0))
        self.assertEqual(tables.spread([30.0, 10.0, 14.0]), "14.0 (10.0 to 30.0)")


class Layers(unittest.TestCase):
    def test_each_has_at_most_one_mutant_of_a_unit_and_none_is_lost(self):
        with tempfile.TemporaryDirectory() as folder:
            listed = [{"id": mutant.id} for mutant in PAPERS.mutants]
            with open(os.path.join(folder, apart.LIST), "w", encoding="utf-8") as file:
                json.dump({"mutants": listed}, file)
            found = []
            for layer in apart.layers(folder, PAPERS, os.path.join(folder, "layers")):
                with open(os.path.join(layer, apart.LIST), encoding="utf-8") as file:
                    found.append([mutant["id"] for mutant in json.load(file)["mutants"]])
        unit_of = {mutant.id: mutant.unit for mutant in PAPERS.mutants}
        for layer in found:
            units = [unit_of[name] for name in layer]
            self.assertEqual(len(units), len(set(units)))
        self.assertEqual(sorted(sum(found, [])), sorted(name for name, unit in unit_of.items() if unit))
        self.assertGreater(len(found), 1)

    def test_together_each_mutant_has_the_program_of_its_layer_and_what_is_shared_counts_once(self):
        both = apart.together([PAPERS, PAPERS])
        self.assertEqual(len(both.mutants), 2 * len(PAPERS.mutants))
        self.assertEqual(len(both.units), 2 * len(PAPERS.units))
        self.assertTrue(all(mutant.program in both.units for mutant in both.mutants if mutant.unit))
        self.assertAlmostEqual(both.stages["build"], 2 * PAPERS.stages["build"])
        self.assertAlmostEqual(both.stages["shared"], PAPERS.stages["shared"])
        self.assertEqual(both.summary["killed"], 2 * PAPERS.summary["killed"])


class Tables(unittest.TestCase):
    def test_where_no_mutant_is_active_each_kill_is_counted_as_a_false_one(self):
        row = tables.idle({"two": DEFAULT}).splitlines()[2]
        self.assertEqual(row.split("|")[7].strip(), str(DEFAULT.summary["killed"]))
        differs = [dataclasses.replace(mutant, reason="the copy differs from the original") for mutant in DEFAULT.mutants]
        row = tables.idle({"two": dataclasses.replace(DEFAULT, mutants=differs)}).splitlines()[2]
        self.assertEqual(row.split("|")[6].strip(), str(len(differs)))

    def test_the_table_of_costs_has_a_row_for_each_seed_and_one_for_all(self):
        rows = tables.costs({"two": [cost.of(PAPERS, DEFAULT)]}).splitlines()
        self.assertEqual(rows[2], "| two | 7 | 3 | 2 | 26.0 | 14.0 | 2.00 | 20.0 | 15.0 | 4.00 | 1.40 | 12.9 | 1 |")
        self.assertEqual(rows[3], "| two | all | 3 |  |  |  |  | **20.0** | 15.0 |  |  | 12.9 | 1 |")

    def test_the_table_of_engines_counts_proved_kills_and_names_the_rest(self):
        rows = tables.engines({"two": {"afl++": [PAPERS], "libfuzzer": [DEFAULT]}}).splitlines()
        self.assertEqual(rows[2], "| two | afl++ | 6 | 3 | 1 | 1.00 | 40.0 | 50.0 | 1.50 | 6.00 | 2.00 | "
                                  "1 invalid, 1 unproved |")
        self.assertEqual(rows[3], "| two | libfuzzer | 6 | 4 | 2 | 1.25 | 5.00 | 1.00 | 0.50 | 8.00 | 2.00 | "
                                  "1 invalid |")

    def test_parts_switched_off_are_compared_over_what_is_dead_in_every_row(self):
        fewer = dataclasses.replace(DEFAULT, mutants=[dataclasses.replace(mutant, dead=mutant.dead and mutant.id != "f2")
                                                      for mutant in DEFAULT.mutants])
        rows = tables.switches({"two": {"as it is": DEFAULT, "without": fewer}}).splitlines()
        # f3 at 0.6 and g1 at 1.1; f2, which fell last in f, is dead in one row only.
        self.assertEqual(rows[2], "| two | as it is | 4 | 1.70 | 1.25 | 5.00 | 1.00 | 0.50 |")
        self.assertEqual(rows[3], "| two | without | 3 | 1.70 | 1.25 | 5.00 | 1.00 | 0.50 |")

    def test_growth_divides_what_the_unit_cost_by_the_mutants_that_were_tried(self):
        row = tables.growth({"two": ("f(int)", [DEFAULT])}).splitlines()[2]
        self.assertEqual(row, "| two | `f(int)` | 5 | 0.40 | 0.08 | 4 |")

    def test_what_is_shared_is_part_of_building_and_not_counted_twice(self):
        self.assertAlmostEqual(DEFAULT.cpu, 1.25 + 5 + 1 + 0.5 + 8)

    def test_the_survey_counts_public_units_with_templates_each_step_of_the_one_before(self):
        def unit(access="public", template=False, **build):
            found = {"id": "u", "driver": "generated", "reason": None, "access": access, "template": template}
            return {**found, "build": {"reason": "why", **build}} if build else {**found, "driver": "unplannable"}

        good = {"compiles": True, "runs": True, "deterministic": True, "beyond_first_branch": True}
        units = [unit(**good), unit(access=None, **{**good, "beyond_first_branch": False}),
                 unit(**{**good, "deterministic": False}), unit(**{**good, "runs": False}), unit(),
                 unit(access="private", **good), unit(template=True, **good)]
        # Not drawn: it would be driven, and was not tried.
        units.append({**unit(), "driver": "generated"})
        counts = survey.count({"units": units})
        self.assertEqual([counts[what] for what in ("drawn", "public", "planned", "builds", "runs", "deterministic",
                                                    "deep")], [7, 6, 5, 5, 4, 3, 2])
        self.assertEqual(len(counts["left"]), 3)
        row = tables.survey({"two": counts}).splitlines()[2]
        self.assertEqual(row, "| two | 7 | 6 | 5 (83 %) | 5 (83 %) | 4 (67 %) | 3 (50 %) | 2 (33 %) |")


class Small(unittest.TestCase):
    def test_a_units_pace_is_that_of_a_mutant_that_lives_and_its_kill_the_first(self):
        rows = list(pace.rows({"g": 10.0, "f": 0.1}, [DEFAULT]))
        self.assertEqual(rows[0], ("f", 0.1, DEFAULT.seed, None, None, 100, 0.5, 0.4))
        self.assertEqual(rows[1][:3] + rows[1][5:], ("g", 10.0, DEFAULT.seed, 100, 1.1, 1.0))
        self.assertAlmostEqual(rows[1][3], 100 / 9)
        self.assertAlmostEqual(rows[1][4], 100 / 0.4)
        told = tables.pace({"pace": rows}).splitlines()[2:]
        self.assertEqual(told[0], f"| `f` | 0.10 | {DEFAULT.seed} | - | - | 100 | 0.50 | 0.40 |")
        self.assertIn("| 11 | 250 |", told[1])

    def test_a_unit_grows_as_far_as_it_has_mutants(self):
        self.assertEqual(growth.sizes(3000), [1, 8, 64, 512])
        self.assertEqual(growth.sizes(513), [1, 8, 64, 512])
        self.assertEqual(growth.sizes(100), [1, 8, 64, 512])
        self.assertEqual(growth.sizes(64), [1, 8, 64])
        self.assertEqual(growth.sizes(5), [1, 8])

    def test_each_marked_line_is_a_mutant_of_the_function_it_stands_in(self):
        lines = ["int f(int x) {", "  if (x) return 1;  // marked", "}", "  void g() {", "  if (1) return 1;", "return 1; // marked"]
        found = list(marked.mutated("two", "c", lines))
        self.assertEqual([name for name, _ in found], ["two.mut.2.1_1_1.ICR.f.c", "two.mut.6.1_1_1.ICR.g.c"])
        self.assertEqual(found[0][1].split("\n")[1:5:3], ["  if (x) return 2;  // marked", "  if (1) return 1;"])


class Curves(unittest.TestCase):
    def test_units_follow_one_another_and_what_is_shared_comes_first(self):
        times, end = cost.deaths(DEFAULT)
        # f is over at 1.4 + 1.0; g1 fell 1.1 into g.
        for time, expected in zip(times, [1.9, 2.0, 2.3, 3.5], strict=True):
            self.assertAlmostEqual(time, expected)
        self.assertAlmostEqual(end, 1.4 + 1.0 + 1.4)

    def test_a_line_ends_at_the_share_that_is_dead(self):
        engines = {"afl++": [cost.deaths(PAPERS)], "a < b": [cost.deaths(DEFAULT)]}
        picture = ElementTree.fromstring(curves.svg("two & more", 6, engines))
        paths = [path.get("d") for path in picture.iter("{http://www.w3.org/2000/svg}path")]
        height = curves.HEIGHT - curves.TOP - curves.BOTTOM
        for path, dead in zip(paths[1:], [3, 4], strict=True):
            last = float(path.rsplit("V", 1)[1].split("H")[0])
            self.assertAlmostEqual(last, curves.HEIGHT - curves.BOTTOM - height * dead / 6, places=1)
        self.assertNotIn("nan", " ".join(paths))
        self.assertIn("prefers-color-scheme: dark", picture.find("{http://www.w3.org/2000/svg}style").text)

    def test_a_run_without_a_kill_has_a_line_too(self):
        ElementTree.fromstring(curves.svg("none", 6, {"afl++": [([], 10.0)], "libfuzzer": [([], 0.0)]}))


class ThePage(unittest.TestCase):
    def test_a_result_is_made_many_times_as_large_and_its_names_still_lead_to_each_other(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(HERE, "default.json"), os.path.join(folder, "outcomes.json"))
            page.many(folder)
            with open(os.path.join(folder, "outcomes.json"), encoding="utf-8") as file:
                made = json.load(file)
        ids, units = ({one["id"] for one in made[of]} for of in ("mutants", "units"))
        self.assertEqual((len(made["mutants"]), len(ids)), (page.MUTANTS, page.MUTANTS))
        self.assertEqual({mutant["unit"] for mutant in made["mutants"]} - units, {""})
        self.assertTrue(set(made["tests"][2]["kills"]) & ids)


if __name__ == "__main__":
    unittest.main()
