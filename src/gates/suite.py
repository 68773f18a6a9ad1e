"""The gate that a suite passes before any code is written for it."""

from dataclasses import dataclass

from src.gates.source import imported_names, imports_module, parse, test_names
from src.gates.verdict import Verdict


@dataclass(frozen=True)
class SuiteFacts:
    """What the gate knows besides the suite."""

    module_name: str
    """Import name of the module that the suite must test."""


def check_suite(tests: str, facts: SuiteFacts) -> Verdict:
    """Refuse what can never be right: a suite that does not parse, tests nothing, or tests something else."""
    tree = parse(tests)
    if isinstance(tree, str):
        return Verdict((f"The suite is not valid Python: {tree}.",))
    module = facts.module_name
    reasons = []
    if not imports_module(tree, module):
        reasons.append(
            f"The suite imports nothing from `{module}`; it must import what it tests: `from {module} import …`."
        )
    elif not imported_names(tree, module):
        reasons.append(f"The suite imports `{module}` but uses no name of it; import each tested name by its name.")
    if not test_names(tree):
        reasons.append("The suite has no test; pytest collects functions named `test_…`.")
    return Verdict(tuple(reasons))
