"""One unit with more and more mutants."""

MUTANTS = (1, 8, 64, 512)


def sizes(most):
    """How many mutants a unit is built with, of `most` that it has; the last has all, where there are fewer."""
    return [count for before, count in zip((0, *MUTANTS), MUTANTS) if before < most]
