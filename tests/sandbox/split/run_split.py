"""Runs one suite in this process against a module in another one, as the sandbox's worker does; tells what it saw.

python run_split.py GUEST_DIR JOB_DIR     (solution.py in JOB_DIR/module, test_solution.py in JOB_DIR)
"""

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


def main(guest: Path, job: Path) -> dict[str, Any]:
    """The suite's outcomes and the channel's notes."""
    sys.path.insert(0, str(guest))
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
    os.chdir(job)
    places = ["-c", "/dev/null", "--rootdir", str(job), "--noconftest", "-p", "no:cacheprovider", "-q", "--tb=short"]
    status = pytest.main([*places, "test_solution.py"], plugins=[outcomes])
    notes = {name: getattr(channel, name) for name in ("cannot_carry", "refused", "broken")}
    host.kill()
    host.wait()
    return {"status": int(status), "passed": outcomes.passed, "failed": outcomes.failed, **notes}


if __name__ == "__main__":
    told = main(Path(sys.argv[1]), Path(sys.argv[2]))
    Path(sys.argv[2], "told.json").write_text(json.dumps(told))
    os._exit(0)
