"""A pytest plugin that tells the supervisor every event, one JSON line for each. Part of the worker.

Generated code shares its process, so that nothing it reports is believed by itself; the host judges whether the events
tell one complete and honest story.
"""

import io
import json
import os
import sys
import threading
import unittest  # noqa: F401  # here and now, so that what a job patches of it shows
from collections.abc import Generator
from contextlib import suppress

import pytest

TYPE_CHECKING = False  # for type checkers alone: the guest's files are no package where they run
if TYPE_CHECKING:
    from sandbox.guest.facts import Witness
    from sandbox.guest.seals import seal
else:
    from facts import Witness
    from seals import seal

MESSAGE_CHARACTERS = 600
TRACEBACK_CHARACTERS = 6000
PRINTED_CHARACTERS = 2000
"""Of what one test printed on standard output, and as much again of its standard error."""
ALL_PRINTED_CHARACTERS = 200_000
ID_CHARACTERS = 2000
MIXER = 2_654_435_761
"""Spreads neighbours far apart: 2**32 divided by the golden ratio (Knuth, The Art of Computer Programming, 6.4)."""
FULL_TRACEBACKS = 30
"""Failures after these are told by their message alone, or a large suite that fails would fill the report."""


class Silent:
    """In the place of pytest's own report on the terminal, of which other plugins use the writer alone."""

    def __init__(self, writer: object) -> None:
        self._tw = writer


class Reporter:
    """The plugin. Its `nonce` and `order_seed` are set when the job is there."""

    def __init__(self, report: int, job_dir: str) -> None:
        self.report = report
        self.pid = os.getpid()
        self.sending = threading.RLock()
        self.held = b""
        self.nonce = ""
        self.order_seed = 0
        self.in_order = False
        self.tracebacks_left = FULL_TRACEBACKS
        self.printed_left = ALL_PRINTED_CHARACTERS
        self.witness = Witness(job_dir)
        self.streams = [stream for stream in (sys.__stdout__, sys.__stderr__) if isinstance(stream, io.TextIOWrapper)]
        self.facts: dict[str, object] | None = None

    def send(self, event: str, **fields: object) -> None:
        """Tell the supervisor. A child that a test forked has no say."""
        if os.getpid() != self.pid:
            return
        line = json.dumps({"event": event, **fields}).encode() + b"\n"
        with self.sending:
            line, self.held = self.held + line, b""
            while line:
                line = line[os.write(self.report, line) :]

    def hold(self, event: str, **fields: object) -> None:
        """Tell it with whatever is told next: each line that is sent wakes the supervisor."""
        if os.getpid() == self.pid:
            with self.sending:
                self.held += json.dumps({"event": event, **fields}).encode() + b"\n"

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """What is printed shall be the job's alone: pytest's dots and sums would tell of our own tests too."""
        for stream in self.streams:
            stream.reconfigure(line_buffering=True)
        writer = config.get_terminal_writer()
        config.pluginmanager.unregister(name="terminalreporter")
        config.pluginmanager.register(Silent(writer), "terminalreporter")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A module that cannot be imported, or one that skips itself."""
        if report.failed:
            self.send("collect_error", id=clean(report.nodeid, ID_CHARACTERS), **self._why(report))

    def put_in_order(self, items: list[pytest.Item]) -> None:
        """Have the tests of the suite run in the order that was asked for."""
        self.in_order = True
        if self.order_seed:
            suite = list(enumerate(items, 1))
            suite.sort(key=lambda place_and_item: self._turn(place_and_item[0]))
            items[:] = [item for _, item in suite]

    def _turn(self, place: int) -> int:
        """A number by which the test at `place` of the suite finds its turn."""
        return -place if self.order_seed == 1 else place * self.order_seed * MIXER % 2**32

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """What will run, in this order. Also called, before anything was put in order, when collecting broke off."""
        if not self.in_order:
            return
        self.send("collected", ids=[clean(item.nodeid, ID_CHARACTERS) for item in session.items])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins."""
        self.send("start", id=clean(nodeid, ID_CHARACTERS))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """All is still as it should be."""
        seal()

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        """An assertion compared and fails."""
        self.witness.compared(op, left, right)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """The exception is at hand here; what is known of it goes with the report that follows."""
        report = yield
        failed = report.failed and call.excinfo is not None and self.tracebacks_left > 0
        self.facts = self.witness.facts(call.excinfo.value) if failed and call.excinfo is not None else None
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Set-up, call or teardown of a test ended, or a part of it that reports by itself (a subtest).

        Of one that passed nobody needs to hear at once: should the process end before the next event, the test was
        begun and is not over, as it would be with this.
        """
        subtest = isinstance(report, pytest.SubtestReport)
        tell = self.hold if report.passed and not subtest else self.send
        tell(
            "subtest" if subtest else "phase",
            id=clean(report.nodeid, ID_CHARACTERS),
            phase=report.when,
            outcome=report.outcome,
            expected_to_fail=hasattr(report, "wasxfail"),
            seconds=round(report.duration, 6),
            **({} if report.passed else self._why(report)),
            **({"facts": self.facts} if report.failed and self.facts else {}),
            **(self._printed(report) if report.when == "teardown" else {}),
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
        self._flush()
        self.send("finish", status=int(exitstatus), nonce=self.nonce)

    def _flush(self) -> None:
        for stream in self.streams:
            with suppress(ValueError, OSError):  # the job may have closed it
                stream.flush()

    def _printed(self, report: pytest.TestReport) -> dict[str, str]:
        """What the test printed from set-up to teardown."""
        self._flush()
        printed = {
            "stdout": clean(report.capstdout, PRINTED_CHARACTERS),
            "stderr": clean(report.capstderr, PRINTED_CHARACTERS),
        }
        self.printed_left -= sum(len(text) for text in printed.values())
        return {stream: text for stream, text in printed.items() if text and self.printed_left >= 0}

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
