"""The figures as Markdown tables."""
import cost


def number(value):
    """Three digits that mean something; a count as it is."""
    if value is None:
        return "-"
    if isinstance(value, int):
        return str(value)
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def spread(values):
    """`median (least to most)`; alone where there is one."""
    there = cost.spread(values)
    if there is None:
        return "-"
    middle, least, most = map(number, there)
    return middle if least == most else f"{middle} ({least} to {most})"


def table(heads, rows):
    """A table; a head that starts with `#` is a column of numbers."""
    lines = ["| " + " | ".join(head.lstrip("#") for head in heads) + " |",
             "| " + " | ".join("---:" if head.startswith("#") else "---" for head in heads) + " |"]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def notes(runs):
    """What was neither dead nor alive in any of the runs."""
    most = {}
    for run in runs:
        for what, count in run.trouble.items():
            most[what] = max(count, most.get(what, 0))
    return ", ".join(f"{count} {what}" for what, count in most.items()) or "-"


def engines(runs):
    """`runs`: project → engine → its runs, one a seed."""
    rows = []
    for project, by_engine in runs.items():
        for engine, own in by_engine.items():
            others = [other for name, other in by_engine.items() if name != engine]
            alone = [len(run.dead - set().union(*(other[at].dead for other in others if at < len(other))))
                     for at, run in enumerate(own)]
            stages = [spread([run.stages[stage] for run in own]) for stage in
                      ("analyse", "build", "search", "triage", "prove")]
            proof = spread([run.stages["prove"] / len(run.dead) if run.dead else None for run in own])
            rows.append([project, engine, len(own[0].mutants), spread([len(run.dead) for run in own]),
                         spread(alone), *stages, proof, notes(own)])
    return table(["project", "engine", "#mutants", "#dead", "#by it alone", "#CPU s: analyse", "#build", "#search",
                  "#triage", "#prove", "#prove, a kill", "other"], rows)


def costs(by_project):
    """`by_project`: project → costs, one a seed."""
    rows = []
    for project, own in by_project.items():
        for one in own:
            rows.append([project, one.seed, one.mutants, one.units, number(one.papers_build), number(one.papers_search),
                         number(one.default), number(one.ratio), number(one.ratio_one), number(one.papers_shared),
                         number(one.default_shared), number(one.ratio_with_shared), len(one.missed)])
        rows.append([project, "all", spread([one.mutants for one in own]), "", "", "", "",
                     f"**{spread([one.ratio for one in own])}**", spread([one.ratio_one for one in own]), "", "",
                     spread([one.ratio_with_shared for one in own]), sum(len(one.missed) for one in own)])
    return table(["project", "#seed", "#killed by AFL++", "#units", "#AFL++: build", "#search", "#default: both",
                  "#ratio", "#ratio, a program a unit", "#AFL++: shared", "#default: shared", "#ratio with shared", "#missed"], rows)


def missed(by_project):
    """`by_project`: project → what `cost.missed` found."""
    rows = [[project, f"`{name}`", ", ".join(map(str, seeds)), why]
            for project, found in by_project.items() for name, (seeds, why) in sorted(found.items())]
    return table(["project", "mutant", "seeds", "what the default engine says"], rows) if rows else ""


def switches(runs):
    """`runs`: project → what is off → a run. What survivors take is the budget's doing; what the dead take is compared over
    those that are dead in every row."""
    rows = []
    for project, by_switch in runs.items():
        common = set.intersection(*(run.dead for run in by_switch.values()))
        rows += [[project, what, len(run.dead), number(cost.until_dead(run, common)), number(run.stages["analyse"]),
                  number(run.stages["build"]), number(run.stages["search"]), number(run.stages["triage"])]
                 for what, run in by_switch.items()]
    return table(["project", "default engine", "#dead", "#CPU s until those dead in all rows fell", "#of all: analyse",
                  "#build", "#search", "#triage"], rows)


def growth(by_project):
    """`by_project`: project → (unit, outcomes with more and more mutants)."""
    rows = []
    for project, (unit, runs) in by_project.items():
        for run in runs:
            own = run.units[unit]
            count = sum(mutant.status in ("killed", "live") for mutant in run.mutants)
            each = number(own.build / count) if count else "-"
            rows.append([project, f"`{unit}`", count, number(own.build), each, len(run.dead)])
    return table(["project", "unit", "#mutants", "#CPU s: build", "#build, a mutant", "#dead"], rows)


def survey(by_project):
    """`by_project`: project → counts of `survey.count`."""
    def share(part, whole):
        return f"{part} ({100 * part / whole:.0f} %)" if whole else "-"

    rows = [[project, counts["drawn"], counts["public"]] +
            [share(counts[what], counts["public"]) for what in ("planned", "builds", "runs", "deterministic", "deep")]
            for project, counts in by_project.items()]
    return table(["project", "#drawn", "#public", "#planned", "#builds", "#runs", "#deterministic",
                  "#deep"], rows)


def idle(by_project):
    """`by_project`: project → a run in which no mutant was active."""
    rows = []
    for project, run in by_project.items():
        ran = [mutant for mutant in run.mutants if mutant.executions]
        false = sum(mutant.status == "killed" for mutant in run.mutants)
        # Before anything is called a kill, the copy is asked without a mutant: which is all that there is here.
        refused = sum("the copy differs" in mutant.reason for mutant in run.mutants)
        inputs = sum({mutant.unit: mutant.executions for mutant in ran}.values())
        rows.append([project, len({mutant.unit for mutant in ran}), len(ran), f"{inputs:,}", number(run.stages["search"]), refused,
                     false, notes([run])])
    return table(["project", "#units", "#copies of mutants", "#inputs", "#CPU s: search", "#copies that differ", "#false kills", "other"],
                 rows)


def narrow(by_part):
    """One entry: engine and run, one a row."""
    rows = []
    for engine, run in by_part["narrow"]:
        alive = [f"`{mutant.unit.split('(')[0].removeprefix('narrow::')}`" for mutant in run.mutants if not mutant.dead]
        inputs = sum(mutant.executions for mutant in run.mutants)
        rows.append([engine, run.seed, len(run.mutants), len(run.dead), f"{inputs:,}", number(run.stages["build"]),
                     number(run.stages["search"]), ", ".join(alive[:6]) + (", …" if len(alive) > 6 else "") or "-"])
    return table(["engine", "#seed", "#mutants", "#dead", "#inputs", "#CPU s: build", "#search", "alive"], rows)


def pace(by_part):
    """One entry: the rows of `pace.rows`."""
    def some(value, shown):
        return "-" if value is None else shown(value)

    rows = [[f"`{name}`", number(took), seed, *(some(rate, "{:,.0f}".format) for rate in rates),
             some(inputs, "{:,}".format), some(fell, number), some(build, number)]
            for name, took, seed, *rates, inputs, fell, build in by_part["pace"]]
    return table(["function", "#µs a call", "#seed", "#inputs a second", "#a CPU second", "#inputs to the kill",
                  "#CPU s to the kill", "#of the unit: build"], rows)


def page(measured):
    """What `page.measure` says."""
    rows = [[name, number(took / 1000)] for name, took in measured["took"]]
    return f"{measured['bytes'] / 1e6:.1f} MB.\n\n" + table(["what is done", "#s"], rows)
