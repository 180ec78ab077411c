#!/usr/bin/env python3
"""What the tests of some runs are like, for docs/tests.md.

    bench/tests.py OUT...

OUT is an output folder of `motif-cpp fuzz`. Prints a row of a table for each, and one for all: proved tests, kills,
lines between a test's braces (median, and the least of the longest tenth), tests that read private state, and brittle
things: what breaks without a change of behaviour. The last are listed below the table, and the exit code is 1 then.
"""

import json
import re
import statistics
import sys
from pathlib import Path

OPENS = re.compile(r"(TEST|TEST_CASE|BOOST_AUTO_TEST_CASE)\(.*|(static void test_\w+|int main)\(.*")
CHECK = re.compile(r"\b(EXPECT_|ASSERT_|CHECK|BOOST_|TEST_ASSERT|assert)")
BRITTLE = {
    "the type of an exception that was caught as that type": re.compile(r"typeid\(error\)"),
    "the bytes of an object, padding included": re.compile(r"memcmp\(&"),
    "an address": re.compile(r"0x[0-9a-f]{8,}\b(?!p)"),
    "an element of a private array": re.compile(r"(\.|->)(m_\w+|\w+_|_\w+)\[\d+\]"),
    "a hexadecimal number where a decimal would do": re.compile(r"0x[0-9a-f.]+p[+-]\d+(?!L)"),
}


def bodies(text):
    """The lines between the braces of each test, without empty ones."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        begins = OPENS.match(lines[at])
        at += 1
        if not begins:
            continue
        # The brace may stand on a line of its own.
        while at < len(lines) and not lines[at - 1].rstrip().endswith("{"):
            at += 1
        body = []
        while at < len(lines) and lines[at] != "}":
            body.append(lines[at])
            at += 1
        body = [line for line in body if line.strip() and line.strip() not in ("return 0;", "(void)of_cmocka;")]
        # A `main` that only runs tests is none.
        if any(CHECK.search(line) for line in body) or begins.group(2) != "int main":
            yield body


def row(name, tests, kills, private, lines):
    if not lines:
        return f"| {name} | 0 | {kills} | | | |"
    longest = sorted(lines)[int(len(lines) * 0.9)]
    return f"| {name} | {tests} | {kills} | {statistics.median(lines):g} | {longest} | {private} |"


def main():
    everything, brittle, totals = [], [], [0, 0, 0]
    print("| subject | tests | kills proved | median lines | longest tenth | private |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for out in map(Path, sys.argv[1:]):
        outcome = json.loads((out / "outcomes.json").read_text())
        proved = [test for test in outcome["tests"] if test["verified"]]
        kills = sum(len(test["kills"]) for test in proved)
        lines, private = [], 0
        for file in sorted((out / "tests").glob("*_test.c*")):
            text = file.read_text(errors="replace")
            private += text.count("// Reads private state")
            for body in bodies(text):
                lines.append(len(body))
                checks = [line for line in body if CHECK.search(line)]
                for what, sign in BRITTLE.items():
                    brittle += [(file, what, line.strip()) for line in checks if sign.search(line)]
        print(row(out.name, len(proved), kills, private, lines))
        everything += lines
        totals = [totals[0] + len(proved), totals[1] + kills, totals[2] + private]
    print(row("all", totals[0], totals[1], totals[2], everything))
    for file, what, line in brittle:
        print(f"{file}: {what}: {line}")
    return 1 if brittle else 0


if __name__ == "__main__":
    sys.exit(main())
