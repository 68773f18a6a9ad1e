"""The gate that a candidate passes before it is run."""

import ast
from dataclasses import dataclass

from src.gates.source import defined_names, imported_names, imports_module, is_open, parse, test_names
from src.gates.verdict import Verdict


@dataclass(frozen=True)
class CandidateFacts:
    """What the gate knows besides the candidate."""

    module_name: str
    """Import name of the module."""
    tests: str
    """Source of the suite that will judge it."""

    @property
    def wanted(self) -> frozenset[str]:
        """Names that the suite takes from the module."""
        tree = parse(self.tests)
        return frozenset() if isinstance(tree, str) else frozenset(imported_names(tree, self.module_name))


def check_candidate(code: str, facts: CandidateFacts) -> Verdict:
    """Refuse what can never be right: code that does not parse, lacks what the suite imports, or contains tests."""
    tree = parse(code)
    if isinstance(tree, str):
        return Verdict((f"The module is not valid Python: {tree}.",))
    return Verdict((*_missing(tree, facts), *_foreign(tree, facts)))


def _missing(tree: ast.Module, facts: CandidateFacts) -> list[str]:
    missing = sorted(facts.wanted - defined_names(tree))
    if not missing or is_open(tree):
        return []
    names = ", ".join(f"`{name}`" for name in missing)
    return [f"The module does not define {names}, which the suite imports; send the whole module."]


def _foreign(tree: ast.Module, facts: CandidateFacts) -> list[str]:
    reasons = []
    tests = [name for name in test_names(tree) if _is_test(name) and name.partition("::")[0] not in facts.wanted]
    if tests:
        reasons.append(
            f"The module contains tests ({', '.join(tests[:5])}); the suite exists already, send the module alone."
        )
    if imports_module(tree, facts.module_name):
        reasons.append(f"The module imports itself (`{facts.module_name}`); define the names instead.")
    return reasons


def _is_test(name: str) -> bool:
    """Whether a name is meant as a test: pytest would collect `testable` too, a person would not call it one."""
    return name.rpartition("::")[2].startswith("test_")
