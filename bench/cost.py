"""What a kill costs: the papers' design against the default engine, over the mutants that the papers' design killed.

The papers' design pays, for each of these mutants, the mutant's program and the search until the mutant fell; what it
searched for mutants that it did not kill is left out. A unit's mutants could share one program: what that would have cost is
told as well, as the mean of the unit's programs, once. The default engine pays, for each of their units, building and
searching until the last of these mutants fell; where it missed one, all that the unit has cost. Kills count where
their test is proved. What serves all units (the project's own objects, the worker) is counted apart, and so are
confirming and proving.
"""
import dataclasses
import statistics


@dataclasses.dataclass(frozen=True)
class Cost:
    """One seed's figures, CPU seconds."""
    seed: int
    mutants: int
    units: int
    papers_build: float
    papers_search: float
    papers_shared: float
    papers_one: float
    default: float
    default_shared: float
    missed: tuple

    @property
    def papers(self):
        return self.papers_build + self.papers_search

    @property
    def ratio(self):
        return self.papers / self.default if self.default else None

    @property
    def ratio_one(self):
        """What the ratio would be if the papers' design had one program a unit."""
        return (self.papers_one + self.papers_search) / self.default if self.default else None

    @property
    def ratio_with_shared(self):
        ours = self.default + self.default_shared
        return (self.papers + self.papers_shared) / ours if ours else None


def of(papers, default):
    """The cost of the kills of one run of each engine with the same seed and mutants."""
    ours = {mutant.id: mutant for mutant in default.mutants}
    by_unit = {}
    for mutant in papers.mutants:
        if mutant.dead:
            by_unit.setdefault(mutant.unit, []).append(mutant)
    build = one = search = spent = 0.0
    missed = []
    for unit, killed in by_unit.items():
        programs = [papers.units[mutant.program].build for mutant in killed]
        build += sum(programs)
        one += statistics.mean(programs)
        search += sum(mutant.own for mutant in killed)
        lost = [mutant.id for mutant in killed if mutant.id not in ours or not ours[mutant.id].dead]
        missed += lost
        if not lost:
            spent += max(ours[mutant.id].fell for mutant in killed)
        elif unit in default.units:
            spent += default.units[unit].build + default.units[unit].search
    return Cost(papers.seed, sum(map(len, by_unit.values())), len(by_unit), build, search, papers.stages["shared"],
                one, spent, default.stages["shared"], tuple(sorted(missed)))


def spread(values):
    """Median, least and most of the values that are there; none where there are none."""
    there = [value for value in values if value is not None]
    return (statistics.median(there), min(there), max(there)) if there else None


def missed(costs, default_runs):
    """For each mutant that the papers' design killed and the default engine missed: the seeds, and what is said of it."""
    found = {}
    for cost, run in zip(costs, default_runs):
        reasons = {mutant.id: f"{mutant.status}: {mutant.reason}" if mutant.reason else mutant.status
                   for mutant in run.mutants}
        for name in cost.missed:
            seeds, _ = found.setdefault(name, ([], reasons.get(name, "not among its mutants")))
            seeds.append(cost.seed)
    return found


def until_dead(outcome, names):
    """CPU seconds of building and searching units until the last of these mutants has fallen in each."""
    last = {}
    for mutant in outcome.mutants:
        if mutant.id in names:
            last[mutant.unit] = max(mutant.fell, last.get(mutant.unit, 0.0))
    return sum(last.values())


def deaths(outcome):
    """CPU seconds at which mutants died, if units are searched one after another and what is shared comes first."""
    begun, times = outcome.stages["shared"], []
    for name, unit in outcome.units.items():
        times += [begun + mutant.fell for mutant in outcome.mutants if mutant.program == name and mutant.dead]
        begun += unit.build + unit.search
    return sorted(times), begun
