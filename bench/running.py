"""Running the tool. What an earlier bench has run with the same command and the same tool is not run again."""
import hashlib
import json
import os
import subprocess
import sys


class Failed(Exception):
    """A run that ended with an error; what it said is in its log."""


class Runner:
    """Runs the tool one command at a time, with what each writes in a folder of its own below `results`."""

    def __init__(self, tool, results):
        self.tool, self.results = tool, results
        os.makedirs(results, exist_ok=True)
        with open(tool, "rb") as file:
            self.version = hashlib.sha256(file.read()).hexdigest()

    def run(self, name, arguments, result, environment=None, cache=None):
        """The path of `result` in the output folder of the run called `name`; `-` is its standard output.
        What the run called `cache` has compiled is there already."""
        output = os.path.join(self.results, name)
        out = output + ".stdout"
        made = out if result == "-" else os.path.join(output, result)
        command = [self.tool, *arguments, "-o", output]
        done = {"command": command, "environment": environment or {}, "tool": self.version}
        note = output + ".command.json"
        if os.path.exists(made) and os.path.exists(note):
            with open(note, encoding="utf-8") as file:
                if json.load(file) == done:
                    print(f"{name}: there already", file=sys.stderr)
                    return made
        # What is in the cache of an earlier run would cost nothing.
        subprocess.run(["rm", "-rf", "--", output, note], check=True)
        if cache:
            os.makedirs(output)
            subprocess.run(["cp", "-r", "--", os.path.join(self.results, cache, "cache"), output], check=True)
        # Each run pays for its own worker, or the first one would pay for all (`MOTIF_CACHE_DIR`, below).
        shown = [f"{key}={value}" for key, value in (environment or {}).items()] + command
        print("$", " ".join(shown), file=sys.stderr, flush=True)
        with open(out, "w", encoding="utf-8") as stdout, open(output + ".log", "w", encoding="utf-8") as log:
            ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=log,
                                   env={"MOTIF_DECIDE": "off", **os.environ, "MOTIF_CACHE_DIR": "off", **(environment or {})})
        if ended.returncode not in (0, 1) or not os.path.exists(made):
            raise Failed(f"{name}: exit {ended.returncode}, see {output}.log")
        with open(note, "w", encoding="utf-8") as file:
            json.dump(done, file, indent=1)
        return made
