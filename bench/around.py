"""What stands around the search: reading, building and proving, beside a plain build and a check of the syntax of the same files."""
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import time

CLANG = {"c": "clang", "c++": "clang++"}
# Stands for the object in a command.
OBJECT = "OBJECT"


class Spent:
    """CPU and clock seconds of a command with all that it started, and the memory of its largest process in megabytes."""

    def __init__(self, cpu, clock, memory):
        self.cpu, self.clock, self.memory = cpu, clock, memory


def spent(command, folder, log, environment=None, well=(0,)):
    """Runs a command, with what it says in `log`; it ends `well` with one of these."""
    with open(log, "wb") as said:
        begun = time.monotonic()
        child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                 env={**os.environ, **(environment or {})})
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        clock = time.monotonic() - begun
    if child.returncode not in well:
        raise ValueError(f"{' '.join(command)}: exit {child.returncode}, see {log}")
    return Spent(used.ru_utime + used.ru_stime, clock, used.ru_maxrss / 1024)


def words(entry):
    """The words of an entry of a compile database, without `-c` and `-o FILE`."""
    given = shlex.split(entry["command"]) if "command" in entry else list(entry["arguments"])
    kept = []
    while given:
        word = given.pop(0)
        if word == "-o":
            given.pop(0)
        elif word != "-c":
            kept.append(word)
    return kept


def compiled(database, log, last, compiler=None):
    """CPU seconds of compiling every file of a database once, with `last` behind its own words."""
    def one(numbered):
        number, entry = numbered
        command = words(entry)
        if compiler:
            command[0] = compiler["c" if entry["file"].endswith(".c") else "c++"]
        object_file = f"{log}.{number}.o"
        took = spent([*command, *(word.replace(OBJECT, object_file) for word in last)], entry["directory"], f"{log}.{number}").cpu
        for file in (object_file, f"{log}.{number}"):
            if os.path.exists(file):
                os.remove(file)
        return took

    entries = {entry["file"]: entry for entry in database}.values()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return sum(pool.map(one, enumerate(entries)))


def clangs():
    """The newest clang, as the tool takes it."""
    for version in ("", *(f"-{number}" for number in range(25, 13, -1))):
        if shutil.which("clang" + version):
            return {kind: name + version for kind, name in CLANG.items()}
    raise ValueError("there is no clang")


class Around:
    """The measurements on one project; `fuzz` has the options that draw its mutants."""

    def __init__(self, tool, project, results, fuzz):
        self.tool, self.project, self.fuzz = tool, os.path.abspath(project), fuzz
        self.build = os.path.join(self.project, "build")
        self.folder = os.path.join(results, "around-" + os.path.basename(self.project))
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        with open(os.path.join(self.build, "compile_commands.json"), encoding="utf-8") as file:
            self.database = json.load(file)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, name, cache, *words, off=""):
        """Runs the tool; `cache` is what of its runs this one finds, and gets."""
        environment = {"MOTIF_CACHE_DIR": self.path(cache), "MOTIF_OFF": off}
        print(f"{os.path.basename(self.project)}: {name}", flush=True)
        return spent([self.tool, *words], self.project, self.path(name + ".log"), environment, well=(0, 1))

    def searched(self, name, cache, off=""):
        """A run of `fuzz`: what it cost, and its outcome."""
        took = self.run(name, cache, "-q", "fuzz", "-p", self.build, *self.fuzz, "-o", self.path(name), off=off)
        with open(os.path.join(self.path(name), "outcomes.json"), encoding="utf-8") as file:
            return took, json.load(file)

    def plain(self):
        """A build of every file, and a check of the syntax of every file."""
        return (compiled(self.database, self.path("build.log"), ["-c", "-o", OBJECT]),
                compiled(self.database, self.path("syntax.log"), ["-w", "-fsyntax-only"], clangs()))

    def read(self):
        """Reading all with an empty cache, again with nothing changed, and again with one file changed."""
        analyze = ("-q", "analyze", "-p", self.build, "--format", "json")
        cold = self.run("read", "cache-of-reading", *analyze)
        size = sum(os.path.getsize(os.path.join(folder, file))
                   for folder, _, files in os.walk(os.path.join(self.path("cache-of-reading"), "parsed")) for file in files)
        warm = self.run("read-again", "cache-of-reading", *analyze)
        entry = self.database[len(self.database) // 2]
        changed = os.path.join(entry["directory"], entry["file"])
        with open(changed, "rb") as file:
            text = file.read()
        try:
            with open(changed, "ab") as file:
                file.write(b"\n// changed\n")
            edited = self.run("read-edited", "cache-of-reading", *analyze)
        finally:
            with open(changed, "wb") as file:
                file.write(text)
        return cold, size / 1e6, warm, edited

    def whole(self):
        """Every measurement, as rows of (what, CPU seconds, clock seconds, memory in MB, by stage or remark)."""
        build, syntax = self.plain()
        yield "a plain build, every file once", build, None, None, ""
        yield "`clang -fsyntax-only`, every file once", syntax, None, None, ""
        cold, stored, warm, edited = self.read()
        yield "`analyze`, nothing read before", cold.cpu, cold.clock, cold.memory, f"stored: {stored:.0f} MB"
        yield "`analyze`, nothing changed", warm.cpu, warm.clock, warm.memory, ""
        yield "`analyze`, one file changed", edited.cpu, edited.clock, edited.memory, ""
        # The project may be built already.
        off = "own-build"
        yield self.row("`fuzz`, read before", *self.searched("cold", self.read_before("cold-cache"), off))
        yield self.row("`fuzz`, another output folder", *self.searched("again", "cold-cache", off))
        if os.path.exists(os.path.join(self.build, "CMakeCache.txt")):
            built = spent(["cmake", "--build", self.build, "-j", str(os.cpu_count())], self.project, self.path("cmake.log"))
            yield "the project's own build", built.cpu, built.clock, None, "what was not built before"
            yield self.row("`fuzz`, read and built before", *self.searched("built", self.read_before("built-cache")))

    def read_before(self, name):
        """A cache in which all is read, and nothing compiled."""
        shutil.copytree(self.path("cache-of-reading"), self.path(name))
        return name

    @staticmethod
    def row(what, took, outcome):
        mutants, killed, proved = counted(outcome)
        by_stage = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in outcome["cpu_seconds"].items() if seconds >= 0.05)
        return what, took.cpu, took.clock, took.memory, f"{mutants} mutants, {killed} killed, {proved} proved; {by_stage}"


def counted(outcome):
    mutants = outcome["mutants"]
    killed = [mutant for mutant in mutants if mutant["status"] == "killed"]
    return len(mutants), len(killed), sum(1 for mutant in killed if mutant["kill"].get("verified"))


def table(rows):
    """The rows as a table."""
    number = lambda value: "" if value is None else f"{value:.1f}"  # noqa: E731
    lines = ["| what | CPU s | s | MB | |", "| --- | ---: | ---: | ---: | --- |"]
    lines += [f"| {what} | {number(cpu)} | {number(clock)} | {number(memory)} | {rest} |" for what, cpu, clock, memory, rest in rows]
    return "\n".join(lines) + "\n"
