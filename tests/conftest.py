"""What whole runs of the team need: models that answer from a list, and the real container."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from sandbox import EngineUnavailable, Job, Sandbox, TestReport, open_sandbox
from sandbox.docker import DockerSandbox
from src.context import TeamContext
from src.events import Event
from src.reply import Permit, Reply, Usage, WorstCase, permitted
from src.runs import Runs
from src.state import ROLES, Message, Role, TeamState
from tests.forks import Forks, copy_project
from tests.postgres import binaries, private_cluster

SHARED_DATA = Path(__file__).parent.parent.parent / "shared" / "data"
"""Real inputs that lie beside the repository where it is developed; tests that need them skip where they are absent."""


STARTED_FIRST = ("test_kill.py", "test_restart.py", "test_references.py", "test_killed_runs.py")
"""Files whose tests take longest, mostly waiting: begun last, they would run on when all others are over."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones first, the others in their order."""
    items.sort(key=lambda item: item.path.name not in STARTED_FIRST)


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


class SharedContainer(DockerSandbox):
    """Runs one job after the other in one real container, each in a child of its own, as `run_many` does.

    For tests that ask what a verdict is, or what follows from it: a container for each job is what costs most.
    """

    def __init__(self) -> None:
        super().__init__(pool_size=0, confirm=False)
        self._one_after_the_other = threading.Lock()
        self._shared = contextlib.ExitStack()
        self._jobs = self._shared.enter_context(self._series())

    def run(self, job: Job) -> TestReport:
        """The verdict on `job`."""
        with self._one_after_the_other:
            return self._twice(lambda: self._jobs.run(job.model_copy(update={"run_id": ""})))

    def run_many(self, jobs: Sequence[Job]) -> list[TestReport]:
        """The verdicts on `jobs`, in their order."""
        return [self.run(job) for job in jobs]

    def close(self) -> None:
        """Give the container up."""
        self._shared.close()
        super().close()


@pytest.fixture(scope="session")
def shared_container(container: Sandbox) -> Iterator[Sandbox]:
    """A real container that many jobs share."""
    assert container.name == "docker", "its image is built"
    with SharedContainer() as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """What runs the real command in a process of its own, at little cost."""
    running = Forks(copy_project(tmp_path_factory.mktemp("project") / "copy"))
    yield running
    running.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Address of a private Postgres of this worker. A missing one fails where CI is set, and skips elsewhere."""
    programs = binaries()
    if programs is None:
        if os.environ.get("CI"):
            pytest.fail("Postgres is not installed: apt-get install postgresql")
        pytest.skip("Postgres is not installed")
    with private_cluster(programs) as address:
        yield address
