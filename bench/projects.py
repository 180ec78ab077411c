"""The projects that are measured: the repository's samples, and whatever is in the folder of subjects."""
import dataclasses
import os
import shutil
import subprocess
import sys

SAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "samples")


@dataclasses.dataclass(frozen=True)
class Project:
    """A folder with build/compile_commands.json, and its mutants where they are there already."""
    name: str
    root: str
    mutants: str


def samples(results):
    """Copies of both samples, configured: the default engine leaves nothing in the repository."""
    found = []
    for name in sorted(os.listdir(SAMPLES)):
        if not os.path.exists(os.path.join(SAMPLES, name, "CMakeLists.txt")):
            continue
        root = os.path.join(results, "samples", name)
        if not os.path.exists(root):
            shutil.copytree(os.path.join(SAMPLES, name), root)
            subprocess.run(["cmake", "-S", root, "-B", os.path.join(root, "build"),
                            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"], check=True, stdout=subprocess.DEVNULL)
        found.append(Project(name, root, os.path.join(root, "mutants")))
    return found


def subjects(folder, mutants):
    """Every project in `folder`; what has no mutants in `mutants` has none yet."""
    found = []
    for name in sorted(os.listdir(folder)):
        root = os.path.join(os.path.abspath(folder), name)
        if name.startswith(".") or not os.path.isdir(root):
            continue
        if not os.path.exists(os.path.join(root, "build", "compile_commands.json")):
            print(f"{root}: no build/compile_commands.json, left out", file=sys.stderr)
            continue
        own = os.path.join(os.path.abspath(mutants), name) if mutants else ""
        found.append(Project(name, root, own if os.path.isdir(own) else ""))
    return found
