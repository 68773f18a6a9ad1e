"""A green verdict is confirmed by a second container, in which the module has a process of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import Job, Sandbox
from sandbox.docker import DockerSandbox
from sandbox.owner import OWNER_LABEL
from sandbox.prereqs import Engine

pytestmark = pytest.mark.docker
CARRIED = [
    Path(__file__).parent / "split" / "carried" / f"{name}.txt" for name in ("async", "property_tests", "threads")
]
"""Those to which it might matter where they run; `split/` tries each of them in processes of this machine."""
SUITE = "from solution import double\n\ndef test_two():\n    assert double(2) == 4\n"
RIGHT = "def double(number):\n    return 2 * number\n"


@pytest.fixture(scope="module")
def confirming(container: Sandbox) -> Iterator[DockerSandbox]:
    """A sandbox of these tests' own; its image is built."""
    assert container.name == "docker"
    with DockerSandbox() as sandbox:
        sandbox.prepare(print)
        yield sandbox


def test_both_kinds_of_containers_are_parked(confirming: DockerSandbox, engine: Engine) -> None:
    confirming.settle()
    label = f"{OWNER_LABEL}={confirming._owner}"
    found = engine.client.containers.list(filters={"label": label}, ignore_removed=True)
    apart = [container for container in found if "--split" in container.attrs["Config"]["Cmd"]]
    assert (len(found), len(apart)) == (3, 1)


def test_two_runs_that_agree_say_so(confirming: DockerSandbox) -> None:
    report = confirming.run(Job(code=RIGHT, tests=SUITE))
    assert (report.status, report.isolation, report.isolation_reason) == ("passed", "separate process", "")


def test_a_red_verdict_needs_no_confirmation(confirming: DockerSandbox) -> None:
    report = confirming.run(Job(code="def double(number):\n    return 5\n", tests=SUITE))
    assert (report.status, report.isolation) == ("failed", "one process")


def test_what_is_right_only_beside_its_tests_is_tampered(confirming: DockerSandbox) -> None:
    code = "import sys\n\ndef double(number):\n    return 4 if 'pytest' in sys.modules else 0\n"
    report = confirming.run(Job(code=code, tests=SUITE))
    assert report.status == "tampered"
    assert "a process of its own" in report.reason


@pytest.mark.parametrize("name", ["solution", "split", "facts", "selfheal", "stub"])
def test_the_module_may_have_the_name_of_a_file_of_the_guest(confirming: DockerSandbox, name: str) -> None:
    report = confirming.run(Job(code=RIGHT, tests=SUITE.replace("solution", name), module_name=name))
    assert (report.status, report.isolation) == ("passed", "separate process"), report.error_summary


def test_what_cannot_be_carried_leaves_the_first_verdict_and_is_named(confirming: DockerSandbox) -> None:
    code = "import time\n\ndef now():\n    return time.time()\n"
    tests = "import solution\n\ndef test_now(monkeypatch):\n    monkeypatch.setattr('time.time', lambda: 5)\n" + (
        "    assert solution.now() == 5\n"
    )
    report = confirming.run(Job(code=code, tests=tests))
    assert (report.status, report.isolation) == ("passed", "one process")
    assert "time.time" in report.isolation_reason


@pytest.mark.parametrize(
    ("body", "named"),
    [
        (
            "import pathlib\n    assert 'def double' in pathlib.Path('solution.py').read_text()",
            "read of the module's file",
        ),
        ("import inspect\n    assert 'number' in inspect.getsource(solution.double)", "source text of the module"),
    ],
)
def test_a_suite_that_looks_at_the_source_is_such_a_thing(confirming: DockerSandbox, body: str, named: str) -> None:
    report = confirming.run(Job(code=RIGHT, tests=f"import solution\n\ndef test_source():\n    {body}\n"))
    assert (report.status, report.isolation) == ("passed", "one process"), report.error_summary
    assert named in report.isolation_reason


def test_a_hash_seed_of_its_own_is_such_a_thing(confirming: DockerSandbox) -> None:
    report = confirming.run(Job(code=RIGHT, tests=SUITE, hash_seed=7))
    assert (report.isolation, report.isolation_reason) == ("one process", "a hash seed of the job's own")


def test_the_module_finds_the_packages_of_the_image_in_its_own_process_too(confirming: DockerSandbox) -> None:
    code = "import zoneinfo\n\ndef zone():\n    return str(zoneinfo.ZoneInfo('Europe/Berlin'))\n"
    tests = "from solution import zone\n\ndef test_zone():\n    assert zone() == 'Europe/Berlin'\n"
    report = confirming.run(Job(code=code, tests=tests))
    assert (report.status, report.isolation) == ("passed", "separate process"), report.error_summary


@pytest.mark.parametrize("case", CARRIED, ids=lambda case: case.stem)
def test_what_the_channel_carries_is_confirmed_in_containers_too(confirming: DockerSandbox, case: Path) -> None:
    module, suite = case.read_text(encoding="utf-8").split("\n=====\n")
    report = confirming.run(Job(code=module, tests=suite))
    assert (report.status, report.isolation) == ("passed", "separate process"), report.error_summary


def test_confirmation_can_be_left_out(container: Sandbox) -> None:
    assert container.name == "docker"
    with DockerSandbox(confirm=False, pool_size=0) as sandbox:
        report = sandbox.run(Job(code=RIGHT, tests=SUITE))
    assert (report.status, report.isolation) == ("passed", "one process")
