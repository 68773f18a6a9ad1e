"""The labels of a suite that was written by others, for tests and benchmarks that take it for an architect's."""

import ast

from src.gates.examined import left_out, spoken_of
from src.gates.excerpts import relabelled
from src.gates.provenance import Kind, Provenance
from src.gates.source import test_names


def labelled(suite: str, request: str, module_name: str = "solution") -> str:
    """A suite that others wrote, with the labels that an architect would have given it, as far as they can be told.

    A test that makes the call of an example is that example; every other one is taken to follow from the request as a
    whole. Examples of the request that the suite leaves out are added.
    """
    tree = ast.parse(suite)
    examples = {one.test: f"{one.example}" for one in spoken_of(tree, request)}
    whole: tuple[Kind, str] = ("property", "follows from the request as a whole, its errors included")
    told: dict[str, tuple[Kind, str]] = {
        name: ("example", examples[name]) if name in examples else whole for name in test_names(tree)
    }
    marked = relabelled(suite, {name: Provenance(name, *label) for name, label in told.items()})
    for number, (example, _reason) in enumerate(left_out(tree, request, module_name)):
        given = f"list({example.call_source})" if isinstance(example.value, list) else example.call_source
        marked += (
            f"\n\n@pytest.mark.example({str(example)!r})\n"
            f"def test_example_{number}():\n    assert {given} == {example.value_source}\n"
        )
    return marked
