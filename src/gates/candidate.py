"""The gate that a candidate passes before it is run."""

import ast
from dataclasses import dataclass

from src.gates.definitions import definitions
from src.gates.fingerprint import fingerprint
from src.gates.imports import foreign
from src.gates.placeholders import placeholders
from src.gates.signatures import misfits
from src.gates.source import defined_names, imported_names, imports_module, is_open, parse, test_names
from src.gates.verdict import Verdict


@dataclass(frozen=True)
class CandidateFacts:
    """What the gate knows besides the candidate."""

    module_name: str
    """Import name of the module."""
    tests: str
    """Source of the suite that will judge it."""
    packages: frozenset[str] | None = frozenset()
    """Import names of what is installed besides the standard library; `None`: there is something, its names unknown."""
    failed: frozenset[str] = frozenset()
    """Fingerprints of candidates that this suite has failed."""

    @property
    def wanted(self) -> frozenset[str]:
        """Names that the suite takes from the module."""
        tree = parse(self.tests)
        return frozenset() if isinstance(tree, str) else frozenset(imported_names(tree, self.module_name))


def check_candidate(code: str, facts: CandidateFacts) -> Verdict:
    """Refuse what can never be right: code that does not parse, lacks what the suite imports or calls it otherwise,
    leaves places to be filled, imports what is not there, contains tests, or has failed before.
    """
    tree = parse(code)
    if isinstance(tree, str):
        return Verdict((f"The module is not valid Python: {tree}.",))
    if fingerprint(code) in facts.failed:
        return Verdict(("This module was tested before, layout and comments aside, and failed; change what it does.",))
    imports = foreign(tree, facts.module_name, facts.packages)
    return Verdict((*_missing(tree, facts), *_unfit(code, tree, facts), *imports, *_misplaced(tree, facts)))


def _missing(tree: ast.Module, facts: CandidateFacts) -> list[str]:
    missing = sorted(facts.wanted - defined_names(tree))
    if not missing or is_open(tree):
        return []
    names = ", ".join(f"`{name}`" for name in missing)
    return [f"The module does not define {names}, which the suite imports; send the whole module."]


def _unfit(code: str, tree: ast.Module, facts: CandidateFacts) -> list[str]:
    """What is defined, but not as the suite uses it."""
    suite = parse(facts.tests)
    if isinstance(suite, str):
        return []
    defined = definitions(tree)
    touched = frozenset(node.attr for node in ast.walk(suite) if isinstance(node, ast.Attribute))
    empty = placeholders(code, defined, facts.wanted, touched)
    return [*empty, *misfits(suite, facts.module_name, defined)]


def _misplaced(tree: ast.Module, facts: CandidateFacts) -> list[str]:
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
