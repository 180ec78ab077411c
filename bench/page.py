"""The page over many mutants, in Chromium: how long until it is seen, and what each use of it takes."""
import copy
import json
import os
import re
import subprocess

MUTANTS = 5000
# What is done, in words, and by which statement; each is over when the page is laid out again.
USES = [
    ("all mutants", "document.querySelector('[data-kind=\"\"]').click()"),
    ("a word searched", "search.value = 'return'; search.dispatchEvent(new Event('input'))"),
    ("the search emptied", "search.value = ''; search.dispatchEvent(new Event('input'))"),
    ("the next mutant (j)", "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))"),
    ("a mutant opened", "document.activeElement.click()"),
    ("a source shown", "location.hash = '#f=' + encodeURIComponent(FILE); dispatchEvent(new Event('hashchange'))"),
]
SCRIPT = """<script>addEventListener('load', function () {
  var search = document.getElementById('search'), took = [];
  function laidOut() { return document.body.getBoundingClientRect().height; }
  function use(name, work) {
    var start = performance.now(); work(); laidOut();
    took.push([name, performance.now() - start]);
  }
  laidOut(); took.push(['first view', performance.now()]);
  %s
  var note = document.createElement('pre'); note.id = 'took'; note.textContent = JSON.stringify(took);
  document.body.append(note);
});</script></body>"""


def many(folder):
    """Makes a result of MUTANTS mutants of one in `folder`: each is there again under other names."""
    path = os.path.join(folder, "outcomes.json")
    with open(path, encoding="utf-8") as file:
        outcome = json.load(file)
    mutants, tests, units, classes = outcome["mutants"], outcome["tests"], outcome["units"], outcome.get("classes", [])
    if not mutants:
        raise ValueError("no mutants to make many of")
    for number in range(1, -(-MUTANTS // len(mutants))):
        def other(name, number=number):
            return f"{name}.{number}"
        for of, names in (("mutants", ["id", "unit"]), ("units", ["id"]), ("tests", ["unit"]), ("classes", ["name"])):
            for one in copy.deepcopy({"mutants": mutants, "units": units, "tests": tests, "classes": classes}[of]):
                one.update({name: other(one[name]) for name in names if one.get(name)})
                for names_in in ("kills", "bases", "units"):
                    if names_in in one:
                        one[names_in] = [other(name) for name in one[names_in]]
                outcome.setdefault(of + "+", []).append(one)
    for of in ("mutants", "units", "tests", "classes"):
        outcome[of] = outcome.get(of, []) + outcome.pop(of + "+", [])
    outcome["mutants"] = outcome["mutants"][:MUTANTS]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(outcome, file)
    return outcome["mutants"][0]["file"]


def measure(page, shown):
    """Milliseconds of the first view of the page and of each use; `shown` is the file whose source is shown."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    statements = "\n  ".join(f"use({json.dumps(name)}, function () {{ {work} }});" for name, work in USES)
    used = page.replace(".html", "-used.html")
    with open(used, "w", encoding="utf-8") as file:
        file.write(text.replace("</body>", SCRIPT % statements.replace("FILE", json.dumps(shown))))
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"--user-data-dir={used}.profile",
               "--window-size=1280,900", f"file://{os.path.abspath(used)}"]
    try:
        dom = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    except OSError as error:
        raise ValueError(f"no Chromium: {error}") from error
    found = re.search(r'<pre id="took">(.*?)</pre>', dom)
    if not found:
        raise ValueError(f"{used} did not load")
    return {"bytes": len(text.encode()), "took": json.loads(found.group(1))}
