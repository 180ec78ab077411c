"""Functions with a branch that few inputs get into (bench/narrow/narrow.cpp): which engine gets there."""
import os
import re
import shutil
import subprocess

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "narrow")
MARK = "// narrow"


def project(results):
    """A copy of the functions, configured, with a mutant for each marked line; its folder."""
    root = os.path.join(results, "narrow-project")
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(FOLDER, root)
    configure = ["cmake", "-S", root, "-B", os.path.join(root, "build"), "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
    if subprocess.run(configure, stdout=subprocess.DEVNULL).returncode:
        raise ValueError(f"{root} can't be configured")
    with open(os.path.join(root, "narrow.cpp"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    mutants = os.path.join(root, "mutants", "narrow")
    os.makedirs(mutants)
    function = ""
    for at, line in enumerate(lines):
        head = re.match(r"\s*(?:int|void) (\w+)\(", line)
        function = head.group(1) if head else function
        if MARK in line:
            mutated = [*lines[:at], line.replace("return 1", "return 2"), *lines[at + 1:]]
            name = f"narrow.mut.{at + 1}.1_1_1.ICR.{function}.cpp"
            with open(os.path.join(mutants, name), "w", encoding="utf-8") as file:
                file.write("\n".join(mutated))
    return root
