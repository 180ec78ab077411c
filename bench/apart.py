"""The papers build a program for each mutant: a project's mutants in layers, each with at most one mutant of a unit.

A run on a layer is then what the papers do, one program a mutant, and all layers together are one outcome.
"""
import collections
import dataclasses
import json
import os
import shutil

import outcomes

LIST = "mutants.json"


def layers(mutants, outcome, into):
    """Folders below `into`, each with a part of the mutants in the folder `mutants`; their units are told by `outcome`."""
    seen, parts = collections.Counter(), collections.defaultdict(list)
    for mutant in outcome.mutants:
        if mutant.unit:
            parts[seen[mutant.unit]].append(mutant.id)
            seen[mutant.unit] += 1
    listed = os.path.join(mutants, LIST)
    folders = []
    for number, names in sorted(parts.items()):
        folder = os.path.join(into, str(number + 1))
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        if os.path.exists(listed):
            with open(listed, encoding="utf-8") as file:
                data = json.load(file)
            data["mutants"] = [mutant for mutant in data["mutants"] if mutant["id"] in set(names)]
            with open(os.path.join(folder, LIST), "w", encoding="utf-8") as file:
                json.dump(data, file)
        else:
            for name in names:
                copy = os.path.join(folder, name)
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copyfile(os.path.join(mutants, name), copy)
        folders.append(folder)
    return folders


def together(parts):
    """One outcome of those of the layers; what is shared is what the first has paid for it."""
    units, mutants = {}, []
    for number, part in enumerate(parts, 1):
        units.update({f"{name} #{number}": unit for name, unit in part.units.items()})
        mutants += [dataclasses.replace(mutant, program=f"{mutant.unit} #{number}") for mutant in part.mutants]
    stages = {stage: sum(part.stages[stage] for part in parts) for stage in parts[0].stages}
    stages["shared"] = parts[0].stages["shared"]
    summary = collections.Counter()
    for part in parts:
        summary.update({name: count for name, count in part.summary.items() if isinstance(count, int)})
    return outcomes.Outcome(parts[0].seed, sum(part.wall for part in parts), stages, units, mutants, dict(summary),
                            frozenset().union(*(part.files for part in parts)))
