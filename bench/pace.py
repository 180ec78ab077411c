"""Functions that take 0.1, 10 and 1000 microseconds a call (bench/pace): how long a call takes, and what that does to a search."""
import os
import subprocess


def calls(root):
    """What a call of each function takes, in microseconds, compiled as a driver that outlives its draft."""
    program = os.path.join(root, "timing")
    sources = ["-x", "c", os.path.join(root, "pace.c"), os.path.join(root, "timing.inc")]
    if subprocess.run(["cc", "-O1", *sources, "-o", program]).returncode:
        raise ValueError(f"{root} can't be compiled")
    told = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {name: float(taken) for name, taken in (line.split() for line in told.splitlines())}


def rows(took, runs):
    """For each function, the quickest first, and each run: the call, the seed, inputs a second and a CPU second, and of the
    mutant that fell first the inputs and the CPU seconds until then; what building took. None where nothing fell, or all did."""
    for name in sorted(took, key=took.get):
        for run in runs:
            own = [mutant for mutant in run.mutants if mutant.unit.split("(")[0] == name]
            alive = next((mutant for mutant in own if not mutant.dead and mutant.seconds and mutant.own), None)
            fell = min((mutant for mutant in own if mutant.dead), key=lambda mutant: mutant.fell, default=None)
            yield (name, took[name], run.seed, alive and alive.executions / alive.seconds,
                   alive and alive.executions / alive.own, fell and fell.executions, fell and fell.fell,
                   run.units[own[0].unit].build if own else None)
