"""What is driven without a person's help: counts over what `analyze --build --format json` says."""


def count(analysis):
    """How many of the public units, templates among them, get how far; each count is of those that the one before counts."""
    drawn = [unit for unit in analysis["units"] if unit["driver"] == "unplannable" or "build" in unit]
    public = [unit for unit in drawn if unit["access"] in (None, "public")]
    planned = [unit for unit in public if "build" in unit]
    builds = [unit for unit in planned if unit["build"]["compiles"]]
    runs = [unit for unit in builds if unit["build"]["runs"]]
    deterministic = [unit for unit in runs if unit["build"]["deterministic"]]
    deep = [unit for unit in deterministic if unit["build"]["beyond_first_branch"]]
    return {"drawn": len(drawn), "public": len(public), "planned": len(planned), "builds": len(builds),
            "runs": len(runs), "deterministic": len(deterministic), "deep": len(deep),
            "left": [(unit["id"], unit["reason"] or (unit.get("build") or {}).get("reason") or "")
                     for unit in public if unit not in deterministic]}
