"""Runs suites for split mode's tests: each in a child forked from this process, in which pytest is loaded already.

python run_split.py GUEST_DIR     (then lines of JSON: {"job": FOLDER, "split": BOOL}; each is answered by a line)

A job's folder holds test_solution.py and, in `module`, solution.py. `split`: the module has a process of its own, as in
the sandbox's worker, or else that of the suite. What became of it is left in `told.json`, what was printed in `output`.
"""

import contextlib
import importlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


class Outcomes:
    """What became of each test."""

    def __init__(self) -> None:
        self.failed: dict[str, str] = {}
        self.passed: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = report.nodeid.partition("::")[2]
        if not report.passed:
            self.failed[name] = report.longreprtext[-1500:]
        elif report.when == "call":
            self.passed.append(name)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed["collection"] = report.longreprtext[-1500:]


def run_suite(suite: Path, outcomes: Outcomes) -> int:
    """The exit status of the suite."""
    places = ["-c", "/dev/null", "--rootdir", str(suite.parent), "--noconftest", "-q", "--tb=short"]
    plugins = ["-p", "no:cacheprovider", "--disable-plugin-autoload", "-p", "_hypothesis_pytestplugin"]
    return int(pytest.main([*places, *plugins, str(suite)], plugins=[outcomes]))


def in_one_process(job: Path) -> dict[str, Any]:
    """The suite's outcomes, with the module beside it."""
    sys.path.insert(0, str(job / "module"))
    outcomes = Outcomes()
    status = run_suite(job / "test_solution.py", outcomes)
    return {"status": status, "passed": outcomes.passed, "failed": outcomes.failed}


def in_two_processes(guest: Path, job: Path) -> dict[str, Any]:
    """The suite's outcomes and the channel's notes."""
    from split.stub import install  # type: ignore[import-not-found]

    ours, theirs = socket.socketpair()
    command = [sys.executable, "-I", str(guest / "split" / "modulehost.py"), str(theirs.fileno())]
    environment = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0"}
    host = subprocess.Popen(
        [*command, str(job / "module")],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        env=environment,
    )
    theirs.close()
    channel = install(ours, "solution")
    outcomes = Outcomes()
    status = run_suite(job / "test_solution.py", outcomes)
    notes = {name: getattr(channel, name) for name in ("cannot_carry", "refused", "broken")}
    host.kill()
    host.wait()
    return {"status": status, "passed": outcomes.passed, "failed": outcomes.failed, **notes}


def child(guest: Path, job: Path, split: bool) -> None:
    """Run one suite. Does not return."""
    try:
        os.setsid()
        output = os.open(job / "output", os.O_WRONLY | os.O_CREAT)
        os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.environ["HOME"] = str(job)
        os.chdir(job)
        told = in_two_processes(guest, job) if split else in_one_process(job)
        (job / "told.json").write_text(json.dumps(told))
    finally:
        os._exit(0)


def serve(guest: Path) -> None:
    """Answer each line when its job is over."""
    sys.path.insert(0, str(guest))
    importlib.import_module("split.stub")  # here, once, for all the children

    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        run_suite(guest / "warm_suite.py", Outcomes())
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            child(guest, Path(order["job"]), order["split"])
        os.waitpid(pid, 0)
        sys.stdout.write("over\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
