"""The backend that isolates nothing: as strict in its verdicts, and open about what it is."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import ContainerFailed, EngineUnavailable, Job, Limits, Sandbox, open_sandbox
from sandbox.subprocess import SubprocessSandbox


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox("subprocess") as opened:
        yield opened


def job(tests: str, code: str = "", seconds: float = 20, **limits: int) -> Job:
    return Job(code=code, tests=tests, limits=Limits.model_validate({"seconds": seconds, **limits}))


def test_it_says_that_it_isolates_nothing(sandbox: Sandbox) -> None:
    told: list[str] = []
    sandbox.prepare(told.append)

    assert len(told) == 1
    assert "isolates nothing" in told[0]


def test_a_green_suite_passes_and_the_report_names_the_backend(sandbox: Sandbox) -> None:
    report = sandbox.run(job("from solution import one\ndef test_a(): assert one() == 1", "def one(): return 1"))

    assert report.passed
    assert report.backend == "subprocess (isolates nothing)"


def test_a_failing_suite_fails(sandbox: Sandbox) -> None:
    report = sandbox.run(job("def test_a(): assert 1 == 2"))

    assert report.status == "failed"
    assert report.tests[0].message == "assert 1 == 2"


def test_exit_code_zero_is_not_a_pass(sandbox: Sandbox) -> None:
    assert sandbox.run(job("import os\ndef test_a(): os._exit(0)")).status == "incomplete"


def test_a_flood_is_stopped(sandbox: Sandbox) -> None:
    assert sandbox.run(job("def test_a():\n    while True: print('x' * 1000)", output_kb=64)).stopped_by == "output"


def test_an_endless_suite_is_stopped_with_the_children_of_its_group(sandbox: Sandbox, tmp_path: Path) -> None:
    note = tmp_path / "child"
    report = sandbox.run(
        job(
            f"""
import os
def test_a():
    if os.fork() == 0: open({str(note)!r}, "w").write(str(os.getpid()))
    while True: pass
""",
            seconds=2,
        )
    )

    assert report.status == "timeout"
    assert_ends(int(note.read_text()))


def test_an_interrupt_ends_the_suite(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note = tmp_path / "worker"
    waiting = f"import os\nopen({str(note)!r}, 'w').write(str(os.getpid()))\nwhile True: pass"

    def interrupted(*_: object) -> None:
        while not note.exists() or not note.read_text():
            time.sleep(0.01)
        raise KeyboardInterrupt

    receive = __import__("sandbox.subprocess", fromlist=["_receive"])._receive
    answers = iter([receive, interrupted])
    monkeypatch.setattr("sandbox.subprocess._receive", lambda *given: next(answers)(*given))
    with pytest.raises(KeyboardInterrupt):
        sandbox.run(job(waiting))

    assert_ends(int(note.read_text()))


def assert_ends(pid: int) -> None:
    """Fail unless `pid` is gone, or dead and uncollected, within ten seconds."""
    for _ in range(1000):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return
        if state == "Z":
            return
        time.sleep(0.01)
    pytest.fail(f"process {pid} still runs")


def test_no_key_of_the_host_is_inherited(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "secret-of-the-host")

    assert sandbox.run(job("import os\ndef test_a(): assert 'secret-of-the-host' not in str(os.environ)")).passed


def test_no_folder_is_left(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    sandbox.run(job("def test_a(tmp_path): tmp_path.joinpath('x').write_text('y')"))

    assert list(tmp_path.iterdir()) == []


def test_a_missing_pytest_is_our_fault_and_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "supervisor.py").write_text("raise SystemExit('no pytest here')")
    monkeypatch.setattr("sandbox.subprocess.GUEST", tmp_path)

    with pytest.raises(ContainerFailed):
        SubprocessSandbox().run(job("def test_a(): ..."))


def test_without_pytest_it_says_so_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.subprocess.find_spec", lambda _name: None)
    with pytest.raises(EngineUnavailable, match="needs pytest and hypothesis"):
        SubprocessSandbox().prepare(print)
