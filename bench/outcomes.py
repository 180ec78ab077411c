"""Reading what a run left behind: `outcomes.json` as plain values."""
import dataclasses
import json

TROUBLE = ("invalid", "unbuildable", "no_driver", "baseline_failed", "error")


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One mutant; `fell` is what its unit had cost when it fell, `own` what searching for it alone has cost.
    `program` is the entry of `Outcome.units` that it was searched in."""
    id: str
    unit: str
    program: str
    status: str
    reason: str
    dead: bool  # killed, and the test of it proved
    fell: float
    own: float
    executions: int
    seconds: float = 0.0  # of searching, by the clock


@dataclasses.dataclass(frozen=True)
class Unit:
    """CPU seconds of one unit."""
    build: float
    search: float
    triage: float


@dataclasses.dataclass(frozen=True)
class Outcome:
    """A whole run, its units in the order in which they were searched."""
    seed: int
    wall: float
    stages: dict
    units: dict
    mutants: list
    summary: dict
    files: frozenset

    @property
    def dead(self):
        return {mutant.id for mutant in self.mutants if mutant.dead}

    @property
    def cpu(self):
        """All CPU seconds; what is shared is part of `build`."""
        return sum(seconds for stage, seconds in self.stages.items() if stage != "shared")

    @property
    def trouble(self):
        """What is neither dead nor alive, by what it is called."""
        named = {status: self.summary[status] for status in TROUBLE if self.summary.get(status)}
        unproved = self.summary["killed"] - len(self.dead)
        return {**named, "unproved": unproved} if unproved else named


def parse(data):
    """An outcome from the JSON's values."""
    units = {unit["id"]: Unit(**unit["cpu_seconds"]) for unit in data["units"]}
    mutants = []
    for mutant in data["mutants"]:
        kill, effort = mutant["kill"], mutant["effort"] or {}
        dead = mutant["status"] == "killed" and kill["verified"]
        unit = mutant["unit"] or ""
        mutants.append(Mutant(mutant["id"], unit, unit, mutant["status"], mutant["reason"] or "", dead,
                              kill["cpu_seconds"] if kill else 0.0, effort.get("cpu_seconds", 0.0),
                              effort.get("executions", 0), effort.get("seconds", 0.0)))
    return Outcome(data["seed"], data["wall_seconds"], data["cpu_seconds"], units, mutants, data["summary"],
                   frozenset(mutant["file"] for mutant in data["mutants"]))


def read(path):
    """The outcome in the file at `path`."""
    with open(path, encoding="utf-8") as file:
        return parse(json.load(file))
