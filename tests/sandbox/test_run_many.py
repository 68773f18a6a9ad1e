"""Many verdicts in one throwaway container: each job for itself, in order, whatever the others do."""

from typing import Any

import pytest

from sandbox import Job, Limits, Sandbox
from sandbox.container import Container
from sandbox.docker import DockerSandbox

pytestmark = pytest.mark.docker
GREEN = Job(code="x = 1", tests="import solution\ndef test_a(): assert solution.x == 1")
RED = Job(code="x = 2", tests=GREEN.tests)


def suite(body: str, code: str = "", **limits: float) -> Job:
    return Job(code=code, tests=body, limits=Limits.model_validate({"seconds": 60, **limits}))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Container]:
    """Every container that is taken for a job."""
    taken: list[Container] = []
    send = Container.send

    def sending(self: Container, message: bytes) -> None:
        if self not in taken:
            taken.append(self)
        send(self, message)

    monkeypatch.setattr(Container, "send", sending)
    return taken


def statuses(sandbox: Sandbox, *jobs: Job) -> list[str]:
    return [report.status for report in sandbox.run_many(jobs)]


def test_reports_come_in_order_from_one_container(container: Sandbox, started: list[Container]) -> None:
    reports = container.run_many([GREEN, RED, GREEN, RED])

    assert [report.status for report in reports] == ["passed", "failed", "passed", "failed"]
    assert reports[1].tests[0].message.endswith("assert 2 == 1\n + where 2 = solution.x".replace("\n", ""))
    assert {report.backend for report in reports} == {"docker"}
    assert len(started) == 1


def test_no_jobs_need_no_container(container: Sandbox, started: list[Container]) -> None:
    assert container.run_many([]) == []
    assert started == []


def test_jobs_may_have_other_names_and_limits(container: Sandbox) -> None:
    tests = "import resource\ndef test_a(): assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == {} * 2**20"
    jobs = [suite(tests.format(size), file_mb=size).model_copy(update={"module_name": f"m{size}"}) for size in (1, 2)]

    assert statuses(container, *jobs) == ["passed", "passed"]


SPOILERS = {
    "hangs": ("timeout", "def test_a():\n    while True: pass"),
    "crashes": ("crashed", "import ctypes\ndef test_a(): ctypes.string_at(0)"),
    "exits": ("incomplete", "import os\ndef test_a(): os._exit(0)"),
    "needs too much memory": ("out_of_memory", "def test_a():\n    x = []\n    while True: x.append(bytearray(10**7))"),
    "fills the disk": (
        "disk_full",
        "def test_a():\n    for n in range(99): open(f'/tmp/{n}', 'wb').write(bytes(1_000_000))",
    ),
    "kills all it can": ("crashed", "import os, signal\ndef test_a():\n    os.kill(-1, 9); os.kill(os.getpid(), 9)"),
    "floods": ("output_flood", "def test_a():\n    while True: print('x' * 1000)"),
}


@pytest.mark.parametrize("kind", SPOILERS)
def test_a_job_that_goes_wrong_does_not_spoil_the_next(container: Sandbox, kind: str) -> None:
    status, tests = SPOILERS[kind]
    bad = suite(tests, seconds=2 if status == "timeout" else 60)

    assert statuses(container, GREEN, bad, GREEN, RED) == ["passed", status, "passed", "failed"]


LEAVING = """
import os, pathlib, socket, time
def test_a():
    deep = pathlib.Path("/tmp/a/b")
    deep.mkdir(parents=True)
    (deep / "file").write_text("secret")
    deep.chmod(0); deep.parent.chmod(0)
    pathlib.Path("/dev/shm/left").write_text("secret")
    pathlib.Path("/tmp/link").symlink_to("/job")
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
"""
FINDING = """
import os
def test_a():
    assert os.listdir("/tmp") == os.listdir("/dev/shm") == []
    others = [pid for pid in os.listdir("/proc") if pid.isdigit() and os.stat(f"/proc/{pid}").st_uid == os.getuid()]
    assert others == [str(os.getpid())]
    assert len([pid for pid in os.listdir("/proc") if pid.isdigit()]) == 3
    assert "left_behind" not in os.environ
"""


def test_nothing_of_a_job_is_there_when_the_next_begins(container: Sandbox, started: list[Container]) -> None:
    assert statuses(container, suite(LEAVING), suite(FINDING), suite(LEAVING), suite(FINDING)) == ["passed"] * 4
    assert len(started) == 1


MEDDLING = """
import fcntl, json, os
LINES = (json.dumps({"event": "parked", "pid": 1}) + "\\n").encode() * 200
def test_a():
    for pipe in range(256):
        try:
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 2**20)
            os.set_blocking(pipe, False)
        except OSError:
            continue
    if os.fork() == 0:
        os.setsid()
        while True:
            for pipe in range(256):
                try:
                    os.write(pipe, LINES)
                except OSError:
                    continue
    os._exit(0)
"""
UNCHANGED = """
import os
def test_a(): assert os.get_blocking(1) and os.get_blocking(2)
"""


def test_what_a_job_does_to_the_pipes_does_not_reach_the_next(container: Sandbox) -> None:
    first, *others = statuses(container, suite(MEDDLING), suite(UNCHANGED), RED, suite(MEDDLING), GREEN)

    assert first in ("tampered", "incomplete", "output_flood")
    assert others[:2] == ["passed", "failed"]
    assert others[3] == "passed"


APART = """
import os, pathlib, resource, signal
import pytest
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
server = next(pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if pid not in (1, os.getpid()))
def test_no_capability():
    assert status["CapEff"] == status["CapPrm"] == status["CapInh"] == status["CapAmb"] == "0" * 16
    assert status["NoNewPrivs"] == "1" and status["Seccomp"] == "2"
def test_a_uid_of_its_own():
    assert len({*os.getresuid(), *os.getresgid()}) == 1 and os.getuid() >= 20000 and os.getgroups() == []
@pytest.mark.parametrize("pid", [1, server])
def test_the_others_are_out_of_reach(pid):
    for act in (
        lambda: os.kill(pid, signal.SIGSTOP),
        lambda: open(f"/proc/{pid}/mem", "rb"),
        lambda: os.listdir(f"/proc/{pid}/fd"),
        lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, 3)),
    ):
        with pytest.raises(OSError):
            act()
def test_what_is_its_own_is_within_reach():
    assert os.listdir("/proc/self/fd")
"""


def test_a_job_reaches_neither_the_supervisor_nor_the_fork_server(container: Sandbox) -> None:
    for report in container.run_many([suite(APART), suite(APART)]):
        assert report.passed, report.error_summary


def test_the_rest_goes_on_in_a_fresh_container_when_one_dies(
    container: Sandbox, started: list[Container], monkeypatch: pytest.MonkeyPatch
) -> None:
    send = Container.send
    calls: list[int] = []

    def dying(self: Container, message: bytes) -> None:
        calls.append(1)
        if len(calls) == 2:
            self._raw.kill()
        send(self, message)

    monkeypatch.setattr(Container, "send", dying)

    assert statuses(container, GREEN, RED, GREEN) == ["passed", "failed", "passed"]
    assert len(calls) == 4
    assert len(started) == 2


HASHED = "def test_a(): assert hash('a') == 0, hash('a')"


def test_a_hash_seed_gives_the_same_hashes_each_time_and_another_one_others(container: Sandbox) -> None:
    jobs = [Job(code="", tests=HASHED, hash_seed=seed) for seed in (0, 7, 0, 7)]
    messages = [report.tests[0].message for report in container.run_many(jobs)]
    alone = [container.run(job).tests[0].message for job in jobs[:2]]

    assert messages[0] == messages[2] == alone[0]
    assert messages[1] == messages[3] == alone[1]
    assert messages[0] != messages[1]


def test_a_compiled_suite_is_handed_on_and_changes_no_verdict(container: Sandbox) -> None:
    assert isinstance(container, DockerSandbox)
    tests = "import os, solution\ndef test_a():\n    assert os.listdir('/job/__pycache__')\n    assert solution.x == 1"
    good, bad = Job(code="x = 1", tests=tests), Job(code="x = 2", tests=tests)
    known = container._suites
    assert known.find(good, container._image or "") is None
    reports: list[Any] = [container.run(bad), container.run(good), container.run(bad), *container.run_many([good, bad])]

    assert known.find(good, container._image or "") is not None
    assert [report.status for report in reports] == ["failed", "passed", "failed", "passed", "failed"]
    assert {report.tests[0].message for report in reports if report.status == "failed"} == {reports[0].tests[0].message}
    assert len({report.tests[0].traceback for report in reports if report.status == "failed"}) == 1


ORDERED = "seen = []\n" + "".join(f"def test_{n}():\n    seen.append({n})\n    print(seen)\n" for n in range(5))


def test_an_order_seed_turns_the_tests_round_or_mixes_them_the_same_way_each_time(container: Sandbox) -> None:
    jobs = [Job(code="", tests=f"import solution\n{ORDERED}", order_seed=seed) for seed in (0, 1, 7, 7)]
    reports = container.run_many(jobs)

    assert [report.status for report in reports] == ["passed"] * 4
    as_written, turned, mixed, again = ([test.id for test in report.tests] for report in reports)
    assert as_written == [f"test_{n}" for n in range(5)]
    assert turned == as_written[::-1]
    assert mixed == again != as_written
    assert reports[1].tests[-1].stdout == "[4, 3, 2, 1, 0]\n"
