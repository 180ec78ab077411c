"""Small projects of the bench's own (bench/narrow, bench/pace) whose marked lines are mutated."""
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
MARK = "// marked"


def project(name, results):
    """A copy of the project bench/NAME, configured, with a mutant for each marked line of NAME.c or NAME.cpp; its folder."""
    root = os.path.join(results, f"{name}-project")
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(os.path.join(HERE, name), root)
    configure = ["cmake", "-S", root, "-B", os.path.join(root, "build"), "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
    if subprocess.run(configure, stdout=subprocess.DEVNULL).returncode:
        raise ValueError(f"{root} can't be configured")
    mutants = os.path.join(root, "mutants", name)
    os.makedirs(mutants)
    source = next(file for file in sorted(os.listdir(root)) if file in (f"{name}.c", f"{name}.cpp"))
    with open(os.path.join(root, source), encoding="utf-8") as file:
        lines = file.read().split("\n")
    extension = source.rsplit(".", 1)[1]
    for file, text in mutated(name, extension, lines):
        with open(os.path.join(mutants, file), "w", encoding="utf-8") as written:
            written.write(text)
    return root


def mutated(name, extension, lines):
    """Each mutant's file name and text, in the order of the lines."""
    function = ""
    for at, line in enumerate(lines):
        head = re.match(r"\s*(?:int|void) (\w+)\(", line)
        function = head.group(1) if head else function
        if MARK in line:
            text = "\n".join([*lines[:at], line.replace("return 1", "return 2"), *lines[at + 1:]])
            yield f"{name}.mut.{at + 1}.1_1_1.ICR.{function}.{extension}", text
