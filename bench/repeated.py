#!/usr/bin/env python3
"""Whether the tests of a run hold elsewhere: in a fresh checkout, with other compilers, often, and in any order.

    bench/repeated.py PROJECT OUT [--configure 'cmake -B build'] [--times 20] [--compilers gcc,clang]

PROJECT is a source tree, OUT the output folder of `motif-cpp fuzz` on it. PROJECT is copied without its build folders
(`--configure` is run in the copy, for headers that a build generates), the tests are built there with the project's
flags by each compiler and run `--times` times in random order. Then each mutant that a test claims takes its original's
place, and the test has to fail. Prints a row for each compiler, and what did not hold. The exit code is 1 then.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CXX = {"gcc": "g++", "clang": "clang++"}


def run(command, cwd, **more):
    return subprocess.run(command, cwd=cwd, text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **more)


def checkout(project, out, to):
    """A copy of the project as it would be cloned, with the tests in their usual place."""
    def not_cloned(folder, names):
        is_built = [name for name in names if (Path(folder) / name / "CMakeCache.txt").exists()]
        return is_built + [name for name in names if name == ".git" or name.startswith("motif.out")]

    shutil.copytree(project, to, ignore=not_cloned, symlinks=True)
    for part in ("tests", "mutants"):
        shutil.copytree(out / part, to / "motif.out" / part)


def ctest(build, *arguments):
    """The names of the tests that failed, and how many ran."""
    said = run(["ctest", "--test-dir", str(build), "--timeout", "60", *arguments], build).stdout
    failed = set(re.findall(r"^\s*\d+ - (.+) \(", said, re.MULTILINE))
    total = re.search(r"tests failed out of (\d+)", said)
    return failed, int(total.group(1)) if total else 0


def short(name):
    """A test's name without what it is prefixed with."""
    return re.split(r"[.#/ ]", name)[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--configure")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--compilers", default="gcc,clang")
    given = parser.parse_args()
    outcome = json.loads((given.out / "outcomes.json").read_text())
    proved = [test for test in outcome["tests"] if test["verified"]]
    wrong = []
    print("| compiler | tests | pass each time | kills | fail on their mutants |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for compiler in given.compilers.split(","):
        with tempfile.TemporaryDirectory() as folder:
            # (Commands of a build may have the name of the project's folder.)
            tree = Path(folder) / given.project.resolve().name
            checkout(given.project, given.out, tree)
            if given.configure:
                subprocess.run(given.configure, shell=True, cwd=tree, check=True, stdout=subprocess.DEVNULL)
            tests, build = tree / "motif.out" / "tests", Path(folder) / "tests-built"
            of = [f"-DCMAKE_C_COMPILER={compiler}", f"-DCMAKE_CXX_COMPILER={CXX.get(compiler, compiler)}"]
            made = run(["cmake", "-G", "Ninja", "-S", str(tests), "-B", str(build), *of], tree)
            built = run(["cmake", "--build", str(build), "--", "-j1", "-k0"], tree)
            if made.returncode or built.returncode:
                wrong.append(f"{compiler}: the tests do not build: {(made.stdout + built.stdout)[-2000:]}")
            failed, total = ctest(build, "--repeat", f"until-fail:{given.times}", "--schedule-random")
            wrong += [f"{compiler}: fails on the original: {name}" for name in sorted(failed)]
            kills = held = 0
            for mutant in sorted({mutant for test in proved for mutant in test["kills"]}):
                claims = [test for test in proved if mutant in test["kills"]]
                kills += 1
                run(["cmake", str(build), f"-DMOTIF_MUTANT={tree / 'motif.out' / 'mutants' / mutant}"], tree)
                built = run(["cmake", "--build", str(build), "--", "-j1", "-k0"], tree)
                names = {short(name) for name in ctest(build)[0]}
                # (A program in C is one test.)
                known = [{short(test["name"]), Path(test["file"]).stem} for test in claims]
                if built.returncode:
                    wrong.append(f"{compiler}: {mutant} does not build: {built.stdout[-500:]}")
                elif any(names & of_it for of_it in known):
                    held += 1
                else:
                    wrong.append(f"{compiler}: {mutant} passes {[test['name'] for test in claims]}; failed: {names}")
        print(f"| {compiler} | {total} | {total - len(failed)} | {kills} | {held} |", flush=True)
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
