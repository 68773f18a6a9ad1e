"""How several developers come to modules that differ.

Models answer the same words much alike at the low temperatures that code is written with, and many that think take no
temperature at all. What makes samples differ usefully is another idea to begin with (Wang et al., PlanSearch, 2024),
so every developer but the first is told one. The first is told what a single one is, so that several are never worse
than one. The tier, its thinking level and its temperature stay as they are set.

The line stands at the end of the prompt: all before it is the same for every developer, and a provider's prefix cache
serves it.
"""

APPROACHES = (
    "Write it in the most direct way: few names, few branches, nothing that is not asked for.",
    "Begin with the edges: settle empty inputs, limits, ties and errors first, then the usual case.",
    "Begin with the data: find the structure, or the table, that leaves the code almost nothing to decide.",
    "Begin with the rules: one small function for each rule of the specification, and one that puts them together.",
    "Begin with what always holds: say to yourself which conditions hold before and after each step, and let the code "
    "follow from them.",
    "Lean on the standard library: find what it does already, and write only what it does not.",
    "Think of it as a machine with states: name them, and say for each input which one comes next.",
)
"""What the second and every further developer is told."""


def approach_of(developer: int) -> str:
    """The approach of one of several developers; the first, or the only one (0), is told none."""
    return APPROACHES[developer - 2] if developer > 1 else ""
