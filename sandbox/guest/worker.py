"""The process that runs the suite: a real pytest session that reports every event to the supervisor.

    python3 -I worker.py REPORT_FD CONTROL_FD JOB_DIR

The session stands (configuration, plugins, fixtures) before the job is there: it parks inside collection until the
supervisor sends one line through the control pipe.
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

OWN = ("facts", "reporter", "seals", "values")
TYPE_CHECKING = False  # for type checkers alone: the guest's files are no package where they run
if TYPE_CHECKING:
    from sandbox.guest.reporter import Reporter
else:
    sys.path.insert(0, HERE)
    from reporter import Reporter

    sys.path.remove(HERE)
    for name in OWN:  # a job may have a module of that name
        sys.modules[f"selfheal.{name}"] = sys.modules.pop(name)


class Parking:
    """A pytest plugin that holds the session up until the job is there."""

    def __init__(self, reporter: Reporter, control: int) -> None:
        self.reporter = reporter
        self.control = control

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Park until the supervisor has placed the files and sends the order to begin."""
        self.reporter.send("parked")
        order = b""
        while not order.endswith(b"\n"):
            chunk = os.read(self.control, 65536)
            if not chunk:
                os._exit(3)
            order += chunk
        os.close(self.control)
        job = json.loads(order)
        self.reporter.nonce = job["nonce"]
        resource.setrlimit(resource.RLIMIT_FSIZE, (job["file_bytes"], job["file_bytes"]))
        session.config.args[:] = job["run"]
        importlib.invalidate_caches()


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
    reporter = Reporter(report, job_dir)
    status = int(pytest.main(list(arguments(job_dir)), plugins=[Parking(reporter, control), reporter]))
    reporter.send("exit", status=status)
    os._exit(status)  # threads that the suite left running are not waited for


main()
