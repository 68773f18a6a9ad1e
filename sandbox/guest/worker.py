"""The process that runs the suite: a real pytest session that reports every event to the supervisor.

    python3 -s -P -u worker.py JOB_DIR REPORT_FD CONTROL_FD [ORDERS_FD ANSWERS_FD] [--order-waits] [--module=FD]
        [--keep]

The session stands (configuration, plugins, fixtures) before the job is there: it parks inside collection until the
supervisor sends one line through the control pipe (parking.py). `--module`: the line to the process that the module
lives in; `import` of it then gives a stub (split/). `--keep`: another process keeps its memory (keeper.py).
"""

import os
import sys
from collections.abc import Sequence

TYPE_CHECKING = False  # for type checkers alone: the guest's files are no package where they run
HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
if os.path.isdir(os.path.join(HERE, "site-packages")):
    sys.path.append(os.path.join(HERE, "site-packages"))  # where the image keeps them

import pytest  # noqa: E402  # found only now

KEEP = "--keep"
OWN = ("canary", "facts", "keeper", "parking", "reporter", "seals", "values")
if TYPE_CHECKING:
    from sandbox.guest.keeper import keep_memory
    from sandbox.guest.parking import START_AGAIN, Parking, warm_up
    from sandbox.guest.reporter import Reporter
    from sandbox.guest.split.channel import Channel
else:
    sys.path.insert(0, HERE)
    from keeper import keep_memory
    from parking import START_AGAIN, Parking, warm_up
    from reporter import Reporter

    sys.path.remove(HERE)
    for name in OWN:  # a job may have a module of that name
        sys.modules[f"selfheal.{name}"] = sys.modules.pop(name)


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
    ]


def module_apart(line: int) -> "Channel":
    """The line to the module's process. Before the session begins: what it replaces of pytest is then as it should be.

    Imported under a name that no job's module can have.
    """
    import importlib
    import socket
    import types

    package = types.ModuleType("_selfheal")
    package.__path__ = [HERE]
    sys.modules["_selfheal"] = package
    channel: Channel = importlib.import_module("_selfheal.split.stub").install(socket.socket(fileno=line), "")
    return channel


def main() -> None:
    """Warm up, then run the one session of this process."""
    job_dir, report, control, *rest = sys.argv[1:]
    lines = [int(word.partition("=")[2]) for word in rest if word.startswith("--module=")]
    order_waits = START_AGAIN in rest
    ends = [int(word) for word in rest if word.isdecimal()]
    server = (ends[0], ends[1]) if ends else None
    if not order_waits:
        warm_up(list(arguments(HERE)), Reporter(os.open("/dev/null", os.O_WRONLY), HERE))
    os.chdir(job_dir)
    reporter = Reporter(int(report), job_dir)
    module = module_apart(lines[0]) if lines else None
    keep = keep_memory if KEEP in rest else None
    parking = Parking(reporter, int(control), server, order_waits, module, keep)
    status = int(pytest.main([*arguments(job_dir), "."], plugins=[parking, reporter]))
    reporter.send("exit", status=status)
    os._exit(status)  # threads that the suite left running are not waited for


main()
