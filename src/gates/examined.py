"""Whether a suite holds the code to the examples of its request."""

import ast
from dataclasses import dataclass

from src.gates.examples import Example, examples_for, examples_of
from src.gates.literals import same
from src.gates.observed import Observation, observations
from src.gates.source import imported_names, parse
from src.gates.verdict import Verdict

MAX_REASONS = 5
"""Examples that are named at once; the author asks itself about the rest."""


@dataclass(frozen=True)
class Spoken:
    """A test that makes a call of which the request speaks."""

    test: str
    """Its name."""
    example: Example
    """What the request says."""
    agrees: bool
    """Whether the test demands the same value."""


def check_examples(tests: str, request: str, module_name: str) -> Verdict:
    """Refuse a suite that leaves out an example of the request, or demands another value for it.

    Only examples of functions that the suite imports count: others may be of helpers, or of something to be replaced.
    """
    tree = parse(tests)
    if isinstance(tree, str):
        return Verdict()
    reasons = [reason for _example, reason in left_out(tree, request, module_name)]
    left = len(reasons) - MAX_REASONS
    more = [f"{left} more examples of the request are left out or contradicted."] if left > 0 else []
    return Verdict((*reasons[:MAX_REASONS], *more))


def left_out(tree: ast.Module, request: str, module_name: str) -> list[tuple[Example, str]]:
    """The examples of a request that no test covers or that a test contradicts, each with the reason to be told."""
    wanted = examples_for(request, imported_names(tree, module_name))
    seen = observations(tree) if wanted else []
    return [(example, reason) for example in wanted if (reason := _against(example, seen))]


def spoken_of(tree: ast.Module, request: str) -> list[Spoken]:
    """The tests that make a call for which the request gives a value."""
    wanted = examples_of(request)
    seen = observations(tree) if wanted else []
    return [
        Spoken(one.test, example, same(one.value, example.value))
        for one in seen
        for example in wanted
        if example.call.is_same(one.call)
    ]


def _against(example: Example, seen: list[Observation]) -> str:
    about = [one for one in seen if one.call.is_same(example.call)]
    if any(same(one.value, example.value) for one in about):
        return ""
    if about:
        return (
            f"`{about[0].test}` expects another value of `{example.call_source}` than the request, which says "
            f"`{example.value_source}` (“{example.line}”); keep to the request."
        )
    return (
        f"The request gives an example that no test covers: `{example.call_source}` is to give "
        f"`{example.value_source}` (“{example.line}”); add a test of kind `example` that makes this call and compares "
        "with this value, both written out."
    )
