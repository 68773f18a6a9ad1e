"""One set of behaviours that every backend has; what one of them cannot promise stands in a table, with the reason."""

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sandbox import EngineUnavailable, Job, Limits, Sandbox, SandboxError, TestReport, open_sandbox
from sandbox.docker import DockerSandbox
from sandbox.fake import FakeSandbox, passing_report
from sandbox.prereqs import find_engine

SECONDS = 60.0
GREEN = Job(code="def one():\n    return 1\n", tests="from solution import one\ndef test_one(): assert one() == 1\n")
PODMAN = (Path("/run/podman/podman.sock"), Path(f"/run/user/{os.getuid()}/podman/podman.sock"))

RUNS_NOTHING = "it answers as it was told and runs nothing"
ONE_KERNEL = "it has no control groups of its own"
ONE_USER = "the suite runs with the rights of the user"
CANNOT_PROMISE: dict[str, dict[str, str]] = {
    "subprocess": {
        "out of memory": ONE_KERNEL,
        "too many processes": ONE_KERNEL,
        "a full disk": ONE_KERNEL,
        "no network": ONE_USER,
        "no file of the host": ONE_USER,
        "another user": ONE_USER,
        "the suite cannot be rewritten": ONE_USER,
    },
    "fake": {
        **dict.fromkeys(("what is not green", "a stopped run", "inside"), RUNS_NOTHING),
        "a module of another name": RUNS_NOTHING,
        "the same hashes": RUNS_NOTHING,
    },
}
"""Backend -> behaviour or group of behaviours -> why it is not tried there."""


def opened_docker(runtime: str | None = None) -> Sandbox:
    try:
        engine = find_engine()
    except EngineUnavailable as error:
        if os.environ.get("CI") and runtime is None:
            raise
        pytest.skip(f"no container engine: {error.message}")
    runtimes = engine.client.info().get("Runtimes") or {}
    engine.client.close()
    if runtime is not None and runtime not in runtimes:
        pytest.skip(f"the engine knows no runtime {runtime}")
    return DockerSandbox(runtime=runtime, pool_size=0)


def opened_podman() -> Sandbox:
    import docker

    socket = next((path for path in PODMAN if path.exists()), None)
    if socket is None:
        pytest.skip("there is no socket of Podman")
    return DockerSandbox(client=docker.DockerClient(base_url=f"unix://{socket}", timeout=120), pool_size=0)


OPENED: dict[str, Callable[[], Sandbox]] = {
    "docker": opened_docker,
    "runsc": lambda: opened_docker("runsc"),
    "podman": opened_podman,
    "subprocess": lambda: open_sandbox("subprocess"),
    "fake": lambda: FakeSandbox(lambda _: passing_report(["test_one"])),
}


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.docker if name == "docker" else ()) for name in OPENED]
)
def backend(request: pytest.FixtureRequest) -> Iterator[tuple[str, Sandbox]]:
    """Name and sandbox of one backend, prepared."""
    with OPENED[request.param]() as sandbox:
        sandbox.prepare(print)
        yield request.param, sandbox


Promised = Callable[..., Sandbox]


@pytest.fixture
def promised(backend: tuple[str, Sandbox]) -> Promised:
    """`promised("no network")`: the backend, where it promises that; elsewhere the test is skipped with the reason."""
    name, opened = backend

    def or_skip(*behaviours: str) -> Sandbox:
        for behaviour in behaviours:
            if behaviour in CANNOT_PROMISE.get(name, {}):
                pytest.skip(f"{name} does not promise {behaviour}: {CANNOT_PROMISE[name][behaviour]}")
        return opened

    return or_skip


def job(tests: str, code: str = "", **limits: float) -> Job:
    return Job(code=code, tests=tests, limits=Limits.model_validate({"seconds": SECONDS, **limits}))


def test_a_green_suite_passes(promised: Promised) -> None:
    report = promised().run(GREEN)

    assert report.passed, report.error_summary
    assert [(test.id, test.outcome) for test in report.tests] == [("test_one", "passed")]
    assert (report.counts.collected, report.counts.passed) == (1, 1)
    assert report.reason == report.error_summary == ""
    assert report.exit_code == 0


def test_a_report_names_its_backend_and_survives_being_written_down(promised: Promised) -> None:
    sandbox = promised()
    report = sandbox.run(GREEN)

    assert report.backend.split()[0] == sandbox.name
    assert TestReport.model_validate_json(report.model_dump_json()) == report


def test_preparing_again_is_harmless(promised: Promised) -> None:
    sandbox = promised()
    sandbox.prepare(print)

    assert sandbox.run(GREEN).passed


def test_several_threads_use_it_at_once(promised: Promised) -> None:
    sandbox = promised()
    reports: list[TestReport] = []
    threads = [threading.Thread(target=lambda: reports.append(sandbox.run(GREEN))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [report.status for report in reports] == ["passed"] * 3


@pytest.mark.parametrize("name", OPENED)
def test_it_opens_by_with_and_may_be_closed_twice(name: str) -> None:
    with OPENED[name]() as sandbox:
        sandbox.close()


NOT_GREEN = {
    "a failed test": ("failed", "def test_a(): assert 1 == 2", ""),
    "an error in set-up": (
        "failed",
        "import pytest\n@pytest.fixture\ndef f(): 1 / 0\ndef test_a(f): ...",
        "",
    ),
    "a module that does not parse": ("collection_error", "import solution\ndef test_a(): ...", "def f(:"),
    "a suite that does not parse": ("collection_error", "def test_a(:", ""),
    "no test": ("no_tests", "x = 1", ""),
    "a skipped test": ("not_all_passed", "import pytest\ndef test_a(): pytest.skip('no')", ""),
    "a test expected to fail": ("not_all_passed", "import pytest\n@pytest.mark.xfail\ndef test_a(): assert 0", ""),
    "an exit with code 0": ("incomplete", "import solution\ndef test_a(): ...", "import os\nos._exit(0)"),
    "a test that is not run": ("tampered", "def test_a(): ...\ndef test_b(): ...\ntest_b.__test__ = False", ""),
    "a crash": ("crashed", "import os\ndef test_a(): os.abort()", ""),
}


@pytest.mark.parametrize("kind", NOT_GREEN)
def test_what_is_not_green_is_called_by_its_name(promised: Promised, kind: str) -> None:
    status, tests, code = NOT_GREEN[kind]
    report = promised("what is not green", kind).run(job(tests, code))

    assert report.status == status, report
    assert not report.passed
    assert report.reason
    assert report.error_summary


STOPPED = {
    "a timeout": ("timeout", "timeout", "def test_a():\n    while True: pass"),
    "a flood of output": ("output_flood", "output", "def test_a():\n    while True: print('x' * 1000)"),
    "out of memory": (
        "out_of_memory",
        "memory",
        "def test_a():\n    hoard = []\n    while True: hoard.append(bytearray(10_000_000))",
    ),
    "too many processes": ("incomplete", "processes", "import os\ndef test_a():\n    while True: os.fork()"),
    "a full disk": (
        "disk_full",
        "disk",
        "import tempfile\ndef test_a():\n"
        "    for n in range(99): open(f'{tempfile.gettempdir()}/{n}', 'wb').write(bytes(1_000_000))",
    ),
}


@pytest.mark.parametrize("kind", STOPPED)
def test_a_run_that_crosses_a_limit_is_stopped_and_says_which(promised: Promised, kind: str) -> None:
    status, stopped_by, tests = STOPPED[kind]
    report = promised("a stopped run", kind).run(job(tests, seconds=3 if kind == "a timeout" else SECONDS))

    assert (report.status, report.stopped_by) == (status, stopped_by), report


INSIDE = {
    "a clean environment": """
import os
def test_a():
    assert not [name for name in os.environ if name in {"GEMINI_API_KEY", "DOCKER_HOST", "PYTEST_ADDOPTS"}]
    assert "secret-of-the-host" not in str(os.environ)
""",
    "hypothesis": """
from hypothesis import given, strategies as st
@given(st.integers())
def test_a(n): assert n + 0 == n
""",
    "no conftest": """
import pathlib
def test_a():
    assert not [path.name for path in pathlib.Path(__file__).parent.iterdir() if "conftest" in path.name.lower()]
""",
    "no network": """
import socket, pytest
def test_a():
    with pytest.raises(OSError): socket.create_connection(("1.1.1.1", 53), timeout=2)
    assert not any(line.split()[1] == "00000000" for line in open("/proc/net/route").read().splitlines()[1:])
""",
    "no file of the host": """
import os
def test_a():
    assert not os.path.exists("/var/run/docker.sock")
    assert not os.path.exists(FILE_OF_THE_HOST)
""",
    "another user": """
import os
def test_a():
    assert len({*os.getresuid(), *os.getresgid()}) == 1
    assert os.getuid() >= 10000
    assert os.getgroups() in ([], [os.getgid()])
""",
    "the suite cannot be rewritten": """
import pytest
def test_a():
    with pytest.raises(OSError): open(__file__, "w")
""",
}


LEAVES_A_FILE = """
import os, tempfile
def test_a():
    path = os.path.join(tempfile.gettempdir(), "left-by-the-run-before")
    assert not os.path.exists(path)
    open(path, "w").close()
"""


def test_temporary_files_are_those_of_one_run(promised: Promised) -> None:
    sandbox = promised("inside")
    for _ in range(2):
        report = sandbox.run(job(LEAVES_A_FILE))
        assert report.passed, report.error_summary


@pytest.mark.parametrize("kind", INSIDE)
def test_inside_there_is_what_was_promised(
    promised: Promised, kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sandbox = promised("inside", kind)
    monkeypatch.setenv("GEMINI_API_KEY", "secret-of-the-host")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--collect-only")
    note = tmp_path / "note"
    note.write_text("of the host")
    tests = f"FILE_OF_THE_HOST = {str(note)!r}\n{INSIDE[kind]}"
    report = sandbox.run(job(tests))

    assert report.passed, report.error_summary


def test_a_module_may_have_another_name(promised: Promised) -> None:
    tests = "from limiter import x\ndef test_x(): assert x"

    assert promised("a module of another name").run(Job(code="x = 1", tests=tests, module_name="limiter")).passed


def test_hashes_are_the_same_each_time(promised: Promised) -> None:
    sandbox = promised("the same hashes")
    printed = [sandbox.run(job("def test_a(): print('hash', hash('text'))")).output for _ in range(2)]

    assert "hash" in printed[0]
    assert printed[0] == printed[1]


STRICT = """
import warnings
import pytest

warnings.simplefilter("error")

@pytest.mark.slow
def test_one(): pass
"""


def test_a_marker_is_known_when_its_job_registers_it(promised: Promised) -> None:
    sandbox = promised("inside")
    registered, unknown = sandbox.run_many(
        [Job(code="", tests=STRICT, markers=("slow: takes a minute", "quick")), Job(code="", tests=STRICT)]
    )

    assert registered.passed, registered.error_summary
    assert "pytest.mark.slow" in unknown.error_summary


def test_a_closed_sandbox_of_containers_runs_nothing(backend: tuple[str, Sandbox]) -> None:
    name, _ = backend
    if name in ("subprocess", "fake"):
        pytest.skip(f"{name} holds nothing that closing would end")
    other = OPENED[name]()
    other.close()

    with pytest.raises(SandboxError, match="closed"):
        other.run(GREEN)
