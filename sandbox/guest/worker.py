"""The process that runs the suite: a real pytest session that reports every event to the supervisor.

    python3 -I worker.py REPORT_FD CONTROL_FD JOB_DIR

The session stands (configuration, plugins, fixtures) before the job is there: it parks inside collection until the
supervisor sends one line through the control pipe. Generated code shares this process, so that nothing it reports is
believed by itself; the host judges whether the events tell one complete and honest story.
"""

import importlib
import json
import os
import resource
import sys
from collections.abc import Sequence

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
if os.path.isdir(os.path.join(HERE, "packages")):
    sys.path.append(os.path.join(HERE, "packages"))  # where the image keeps them

import pytest  # noqa: E402  # found only now

MESSAGE_CHARACTERS = 600
TRACEBACK_CHARACTERS = 6000
ID_CHARACTERS = 2000
FULL_TRACEBACKS = 30
"""Failures after these are told by their message alone, or a large suite that fails would fill the report."""


class Reporter:
    """A pytest plugin: one JSON line for each event, and the place where the session parks."""

    def __init__(self, report: int, control: int) -> None:
        self.report = report
        self.control = control
        self.pid = os.getpid()
        self.nonce = ""
        self.tracebacks_left = FULL_TRACEBACKS

    def send(self, event: str, **fields: object) -> None:
        """Tell the supervisor. A child that a test forked has no say."""
        if os.getpid() != self.pid:
            return
        line = json.dumps({"event": event, **fields}).encode() + b"\n"
        while line:
            line = line[os.write(self.report, line) :]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Park until the supervisor has placed the files and sends the order to begin."""
        self.send("parked")
        order = b""
        while not order.endswith(b"\n"):
            chunk = os.read(self.control, 65536)
            if not chunk:
                os._exit(3)
            order += chunk
        os.close(self.control)
        job = json.loads(order)
        self.nonce = job["nonce"]
        resource.setrlimit(resource.RLIMIT_FSIZE, (job["file_bytes"], job["file_bytes"]))
        session.config.args[:] = [job["suite_file"]]
        importlib.invalidate_caches()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A module that cannot be imported, or one that skips itself."""
        if report.failed:
            self.send("collect_error", id=clean(report.nodeid, ID_CHARACTERS), **self._why(report))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """What will run, in this order."""
        self.send("collected", ids=[clean(item.nodeid, ID_CHARACTERS) for item in session.items])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins."""
        self.send("start", id=clean(nodeid, ID_CHARACTERS))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Set-up, call or teardown of a test ended, or a part of it that reports by itself (a subtest)."""
        self.send(
            "subtest" if isinstance(report, pytest.SubtestReport) else "phase",
            id=clean(report.nodeid, ID_CHARACTERS),
            phase=report.when,
            outcome=report.outcome,
            expected_to_fail=hasattr(report, "wasxfail"),
            seconds=round(report.duration, 6),
            **({} if report.passed else self._why(report)),
        )

    def pytest_internalerror(self, excrepr: object) -> None:
        """Something went through pytest itself, `SystemExit` at import for one."""
        text = str(excrepr)
        last = text.strip().splitlines()[-1:]
        self.send(
            "internal_error",
            message=clean("".join(last), MESSAGE_CHARACTERS),
            traceback=clean(text, TRACEBACK_CHARACTERS),
        )

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """The session is complete; the nonce says that this session was the one asked for."""
        self.send("finish", status=int(exitstatus), nonce=self.nonce)

    def _why(self, report: pytest.TestReport | pytest.CollectReport) -> dict[str, str]:
        crash = getattr(report.longrepr, "reprcrash", None)
        text = report.longreprtext
        message = crash.message if crash is not None else _error_line(text)
        if report.skipped and isinstance(report.longrepr, tuple):
            message = str(report.longrepr[2])
        if getattr(report, "wasxfail", ""):
            message = f"expected to fail: {report.wasxfail}"
        self.tracebacks_left -= 1
        room = TRACEBACK_CHARACTERS if self.tracebacks_left >= 0 else 0
        return {"message": clean(message, MESSAGE_CHARACTERS), "traceback": clean(text, room)}


def _error_line(text: str) -> str:
    """The line that names the exception: marked by pytest with an E and three spaces, its details with more of them."""
    lines = [line for line in text.splitlines() if line.strip()]
    marked = [line[4:] for line in lines if line.startswith("E   ") and line[4:5].strip()]
    return (marked[-1:] or lines or [""])[0].strip()


def clean(text: str, room: int) -> str:
    """`text` in at most about `room` characters, its middle cut, and such that every UTF-8 reader takes it."""
    if len(text) > room:
        half = room // 2
        text = (
            f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[len(text) - half :]}"
            if half
            else ""
        )
    return text.encode("utf-8", "replace").decode()


def arguments(job_dir: str) -> Sequence[str]:
    """Nothing that lies about on the machine or in the job may configure this session.

    Printed text goes straight on as well as to pytest (`tee-sys`): captured only, a flood of it would first show as
    a lack of memory.
    """
    places = ["-c", os.path.join(HERE, "pytest.ini"), "--rootdir", job_dir, "--confcutdir", job_dir, "--noconftest"]
    style = ["-q", "--no-header", "--no-summary", "--color=no", "--tb=short", "--capture=tee-sys"]
    return [
        *places,
        *style,
        "-p",
        "no:cacheprovider",
        "--disable-plugin-autoload",
        "-p",
        "_hypothesis_pytestplugin",
        ".",
    ]


def main() -> None:
    """Run the one session of this process."""
    report, control, job_dir = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    os.chdir(job_dir)
    reporter = Reporter(report, control)
    status = int(pytest.main(list(arguments(job_dir)), plugins=[reporter]))
    reporter.send("exit", status=status)
    os._exit(status)  # threads that the suite left running are not waited for


main()
