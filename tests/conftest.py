"""What whole runs of the team need: models that answer from a list, and the real container."""

import ast
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from sandbox import EngineUnavailable, Sandbox, open_sandbox
from src.context import TeamContext
from src.events import Event
from src.gates.examined import left_out, spoken_of
from src.gates.excerpts import relabelled
from src.gates.provenance import Kind, Provenance
from src.gates.source import test_names
from src.reply import Permit, Reply, Usage, WorstCase, permitted
from src.runs import Runs
from src.state import ROLES, Message, Role, TeamState

SHARED_DATA = Path(__file__).parent.parent.parent / "shared" / "data"
"""Real inputs that lie beside the repository where it is developed; tests that need them skip where they are absent."""


class Answers:
    """A role's model that answers from a list and remembers what it was asked."""

    def __init__(self, *texts: str | Reply | BaseException) -> None:
        self.left = list(texts)
        self.asked: list[list[Message]] = []

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:  # noqa: ARG002  # one attempt is enough
        self.asked.append(list(messages))
        answer = self.left.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, Reply):
            return answer
        return Reply(answer, "complete", Usage(input_tokens=100, output_tokens=10, cost=0.01), "told", 0.5)

    def worst_case(self, messages: Sequence[Message]) -> WorstCase:  # noqa: ARG002  # whatever is asked
        return WorstCase(200, 0.02, "told")


class Team:
    """A context whose models are `Answers`, and a list of what happened."""

    def __init__(self, sandbox: Sandbox, run_id: str, **answers: Sequence[str | Reply | BaseException]) -> None:
        self.models: dict[Role, Answers] = {role: Answers(*answers.get(role, ())) for role in ROLES}
        self.events: list[Event] = []
        self.context = TeamContext(self.models, sandbox, run_id=run_id, on_event=self.events.append)


class RunsReadOnce(Runs):
    """Runs without a second reading of the request, for tests of something else."""

    def start(self, *arguments: Any, **options: Any) -> TeamState:
        return super().start(*arguments, **{"second_reading": False, **options})


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


@pytest.fixture
def team() -> Callable[..., Team]:
    """`team(sandbox, "a-run", architect=["…"], developer=["…"])`: a team that answers as told."""
    return Team


@pytest.fixture
def shared_data() -> Path:
    """The folder of real inputs."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the real inputs do not lie beside this repository")
    return SHARED_DATA


@pytest.fixture(scope="session")
def container() -> Iterator[Sandbox]:
    """The real sandbox, ready to run. Missing engines fail where CI is set, and skip elsewhere."""
    # To park or to confirm what no test here asks about would take the machine from those that run.
    sandbox = open_sandbox("docker", pool_size=0, confirm=False)
    try:
        sandbox.prepare(print)
    except EngineUnavailable as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no container engine: {error.message}")
    with sandbox:
        yield sandbox
