"""Hostile code gets the status that it must get, in time, and harms neither the host nor the next verdict."""

import ast
import re
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from sandbox import Job, Limits, Sandbox
from sandbox.docker import DockerSandbox
from sandbox.owner import OWNER_LABEL
from sandbox.prereqs import Engine

pytestmark = pytest.mark.docker
HERE = Path(__file__).parent
SECONDS = 30.0
ALLOWANCE = 60.0
"""How long, in seconds, a busy machine may take to make and to remove a container. A check for hangs, not for speed."""
MOST_TEXT = 400_000
ATTACKS_BETWEEN = 10
"""Attacks between two verdicts of a bystander. A container costs as much as the attack itself."""
WRONG_MODULE = "def double(number):\n    return 0\n"
SUITE = """\
from solution import double


def test_two():
    assert double(2) == 4


def test_three():
    assert double(3) == 6
"""
HONEST = Job(code="def double(number):\n    return 2 * number\n", tests=SUITE)
WRONG = Job(code=WRONG_MODULE, tests=SUITE)
KNOWN_TO_HOST = ("/tmp", "/var/tmp", "/dev/shm", "/job", "/opt", "/etc", "/", "~")
NAMES_OF_TRACES = ("mine", "green.py", "theirs.py", "large", "full", "conftest.py", "mine.pth", "tox.ini", "disk")


class Attack(NamedTuple):
    """One file of `hostile/` or `odd/`; `hostile/README.md` describes its parts."""

    job: Job
    expected: set[str]
    within: float

    @classmethod
    def read(cls, path: Path) -> "Attack":
        """The attack in the file at `path`."""
        header, *sections = re.split(r"^# --- (module|suite) ---\n", path.read_text(), flags=re.MULTILINE)
        told = ast.get_docstring(ast.parse(header)) or ""
        keys = dict(line.split(": ", 1) for line in told.splitlines()[2:])
        limits = dict(pair.split("=") for pair in keys.get("limits", "").split())
        parts = dict(zip(sections[::2], sections[1::2], strict=True))
        job = Job(
            code=parts.get("module", WRONG_MODULE),
            tests=parts.get("suite", SUITE),
            limits=Limits.model_validate({"seconds": SECONDS, **limits}),
            run_id=uuid.uuid4().hex,
        )
        return cls(job, set(keys["expect"].split(" | ")), float(keys["within"]))


FILES = sorted([*HERE.glob("hostile/*.py"), *HERE.glob("odd/*.py")])


@pytest.fixture(scope="module")
def attacked(container: Sandbox) -> Iterator[DockerSandbox]:
    """A sandbox of these tests' own, whose containers can be told by their owner; none is kept parked."""
    assert container.name == "docker"
    with DockerSandbox(pool_size=0) as sandbox:
        sandbox.prepare(print)
        yield sandbox
        assert sandbox.run(WRONG).status == "failed", "what is kept of the suite is still that of the suite"
        assert sandbox.run(HONEST).passed


class Bystander:
    """Another sandbox on the same engine, with honest work: it asks for a verdict after every few attacks."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._since: list[str] = []

    def comes_after(self, attack: str) -> None:
        """To be called after each attack."""
        self._since.append(attack)
        if len(self._since) >= ATTACKS_BETWEEN:
            self.works()

    def works(self) -> None:
        """Its verdict is the right one, whatever the attacks since the last time did."""
        report = self._sandbox.run(HONEST)
        assert report.passed, f"the next verdict after one of {self._since}: {report.reason}"
        self._since.clear()


@pytest.fixture(scope="module")
def bystander(container: Sandbox) -> Iterator[Bystander]:
    """It works once more in the end."""
    yield (bystander := Bystander(container))
    bystander.works()


def containers(engine: Engine, sandbox: DockerSandbox) -> set[str]:
    """The ids of its containers, when none is being made or removed."""
    sandbox.settle()
    found = engine.client.api.containers(all=True, filters={"label": f"{OWNER_LABEL}={sandbox._owner}"})
    return {one["Id"] for one in found}


def traces_on_the_host() -> list[Path]:
    """Files with a name that those of `hostile/` give theirs, in the places that guest and host both have."""
    folders = [Path(folder).expanduser() for folder in KNOWN_TO_HOST]
    return [folder / name for folder in folders for name in NAMES_OF_TRACES if (folder / name).exists()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_attack_gets_its_status_in_time_and_leaves_no_trace(
    attacked: DockerSandbox, bystander: Bystander, engine: Engine, path: Path
) -> None:
    attack = Attack.read(path)
    began = time.monotonic()
    report = attacked.run(attack.job)
    took = time.monotonic() - began

    assert report.status in attack.expected, f"{report.status}: {report.reason}\n{report.error_summary}"
    assert took < attack.within * attack.job.limits.seconds + ALLOWANCE
    assert report.passed or report.reason
    assert len(report.model_dump_json()) < MOST_TEXT

    assert containers(engine, attacked) == set()
    assert traces_on_the_host() == []
    bystander.comes_after(path.stem)


@pytest.mark.parametrize(
    "name",
    [
        "odd/daemon_process_left",
        "odd/thread_left",
        "hostile/exit_at_import",
        "hostile/kill_everything",
        "hostile/kill_the_group",
        "hostile/stop_itself",
        "hostile/word_after_the_end",
        "hostile/output_flood_of_a_child",
        "hostile/rewrite_the_suite",
        "hostile/shared_memory",
        "hostile/disk_bomb",
        "hostile/fork_bomb",
        "hostile/memory_bomb",
        "hostile/patched_runtest",
    ],
)
@pytest.mark.usefixtures("container")
def test_jobs_of_one_run_are_not_harmed_by_an_attack_among_them(name: str) -> None:
    attack = Attack.read(HERE / f"{name}.py")
    with DockerSandbox(pool_size=0) as sandbox:
        reports = sandbox.run_many([HONEST, attack.job, HONEST, WRONG])

    assert reports[1].status in attack.expected, reports[1]
    assert [reports[index].status for index in (0, 2, 3)] == ["passed", "passed", "failed"]


def test_there_are_enough_of_them_and_each_says_what_it_tries() -> None:
    hostile = [path for path in FILES if path.parent.name == "hostile"]

    assert len(hostile) >= 70
    assert all(attack.expected for attack in map(Attack.read, FILES))
    assert all("passed" not in Attack.read(path).expected for path in hostile)
    assert all(Attack.read(path).expected == {"passed"} for path in FILES if path not in hostile)
