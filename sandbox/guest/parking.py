"""Where a pytest session waits for its job: inside collection, with everything that needs no job already done.

Part of the worker. What runs in here until `Parking.pytest_collection` returns has met no generated code.
"""

import base64
import contextlib
import fcntl
import gc
import importlib
import io
import json
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

TYPE_CHECKING = False  # for type checkers alone: the guest's files are no package where they run
if TYPE_CHECKING:
    from sandbox.guest.canary import Canary
    from sandbox.guest.reporter import Reporter
    from sandbox.guest.split.channel import Channel
else:
    from canary import Canary

MAX_REWRITTEN_BYTES = 1_000_000
NOTE_CHARACTERS = 300
SWEPT_FOLDERS = ("/tmp", "/dev/shm")
PR_SET_DUMPABLE = 4
START_AGAIN = "--order-waits"


class Parking:
    """A pytest plugin that holds the session up until the job is there."""

    def __init__(
        self,
        reporter: "Reporter",
        control: int,
        server: tuple[int, int] | None = None,
        order_waits: bool = False,
        module: "Channel | None" = None,
        keep: Callable[[], None] | None = None,
    ) -> None:
        """`server`: where a fork server gets its orders and answers them; `None` for a worker of a single job.
        `module`: the line to the process that the module lives in, where it has one.
        """
        self.reporter = reporter
        self.control = control
        self.server = server
        self.order_waits = order_waits
        self.module = module
        self.keep = keep
        self.canary: Canary | None = None

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Behind the reporter's, which takes the seal that our own tests look at."""
        self.canary = Canary(session.config)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Park; go on when the supervisor has placed the files and sends the order to begin."""
        gc.collect()
        gc.freeze()  # what stands now is never looked through again, nor copied by a child's collector
        if self.server is not None:
            serve(*self.server)
            self.reporter.pid = os.getpid()
            for pipe in (1, 2, self.reporter.report):  # shared with the jobs before, who may have set it not to block
                fcntl.fcntl(pipe, fcntl.F_SETFL, 0)
        if self.keep is not None:
            self.keep()
        if not self.order_waits:
            self.reporter.send("parked", pid=os.getpid())
        line = read_line(self.control)
        order = json.loads(line)
        if str(order["hash_seed"]) != os.environ["PYTHONHASHSEED"]:
            start_again(line, order["hash_seed"])
        self.reporter.nonce = order["nonce"]
        self.reporter.order_seed = order["order_seed"]
        for line in order["markers"]:
            session.config.addinivalue_line("markers", line)
        assert self.canary is not None, "the session has begun"
        self.canary.name(session, order["canary"])
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["file_bytes"], order["file_bytes"]))
        if order["rewrite"]:
            file = order["suite_file"].removesuffix(".py") + rewrite.PYC_TAIL
            self.reporter.send("rewritten", file=file, pyc=rewritten(order["suite_file"], session.config))
            read_line(self.control)
        os.close(self.control)
        if self.module is not None:
            self.module.name = order["module_file"].removesuffix(".py")
            self.module.on_notice = lambda what: self.reporter.send("cannot_carry", what=brief(what))
        session.config.args[:] = order["run"]
        importlib.invalidate_caches()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Those of the suite in their order, and our own around them."""
        assert self.canary is not None, "the session has begun"
        self.reporter.put_in_order(items)
        self.canary.around(items)

    def pytest_sessionfinish(self) -> None:
        """What came between the suite and a module in a process of its own."""
        if self.module is not None:
            self.reporter.send("apart", refused=list(map(brief, self.module.refused)), broken=brief(self.module.broken))


def brief(text: str) -> str:
    """The beginning of `text`, such that every UTF-8 reader takes it."""
    return text[:NOTE_CHARACTERS].encode("utf-8", "replace").decode()


def read_line(pipe: int) -> bytes:
    """The next line, or the end of this process when nobody is left to send one."""
    line = b""
    while not line.endswith(b"\n"):
        chunk = os.read(pipe, 65536)
        if not chunk:
            os._exit(3)
        line += chunk
    return line


def start_again(order: bytes, hash_seed: int) -> None:
    """Replace this program by a fresh one with another hash seed, which can only be chosen at the start."""
    waiting, filled = os.pipe()
    os.write(filled, order)
    os.close(filled)
    os.set_inheritable(waiting, True)
    _script, job_dir, report, *_ = sys.argv
    os.environ["PYTHONHASHSEED"] = str(hash_seed)
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py")
    command = [sys.executable, "-s", "-P", "-u", script, job_dir, report, str(waiting), START_AGAIN]
    os.execv(sys.executable, command)


def rewritten(suite_file: str, config: pytest.Config) -> str:
    """The compiled suite as pytest's assertion rewriting makes it, in base64; nothing when it cannot be had."""
    compiled = io.BytesIO()
    try:
        source_hash, code = rewrite._rewrite_test(Path(suite_file).absolute(), config)
        rewrite._write_pyc_fp(compiled, source_hash, code)
    except Exception:  # whatever is wrong with the suite is told when it is collected  # noqa: BLE001
        return ""
    data = compiled.getvalue()
    return base64.b64encode(data).decode() if len(data) <= MAX_REWRITTEN_BYTES else ""


def serve(orders: int, answers: int) -> None:
    """Fork a child for each job and sweep up after it. Returns in the children alone, which will run a job.

    This process runs no job, and is the only one of the container with a capability (SETUID and SETGID), so that each
    job has a uid of its own: no job can signal, trace or limit this process or what comes after it.
    """
    import ctypes  # here, once, not in every child

    libc = ctypes.CDLL(None)
    os.write(answers, b"serving\n")
    while True:
        word, uid = read_line(orders).split()
        if word == b"sweep":
            swept = _in_child(_sweep, int(uid))
            os.write(answers, b"swept\n" if swept else b"not swept\n")
        elif _forked_twice():
            os.close(orders)
            os.close(answers)
            os.setsid()
            _become(int(uid))
            libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # a change of uid takes it: /proc/self would be closed to the job
            return


def _forked_twice() -> bool:
    """Fork a grandchild, which the supervisor inherits and whose end it is told by the kernel. True in it."""
    middle = os.fork()
    if middle:
        os.waitpid(middle, 0)
        return False
    if os.fork():
        os._exit(0)
    return True


def _in_child(act: Callable[[int], None], uid: int) -> bool:
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    try:
        act(uid)
    finally:
        os._exit(1 if sys.exc_info()[0] else 0)


def _sweep(uid: int) -> None:
    """End all processes of `uid` and remove all its files; only it can do the one and the other."""
    import shutil

    _become(uid)
    with contextlib.suppress(ProcessLookupError):  # nobody is left
        os.kill(-1, signal.SIGKILL)  # everything that may be signalled, but not the one that sends
    for folder in SWEPT_FOLDERS:
        for entry in os.scandir(folder):
            if entry.is_dir(follow_symlinks=False):
                _open_up(entry.path)
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)


def _open_up(folder: str) -> None:
    os.chmod(folder, 0o700)
    for root, folders, _ in os.walk(folder):
        for name in folders:
            path = os.path.join(root, name)
            if not os.path.islink(path):
                os.chmod(path, 0o700)


def _become(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def warm_up(arguments: list[str], reporter: "Reporter") -> None:
    """Run a small session of our own first: what pytest imports late and builds once is then there."""
    before = (os.getcwd(), list(sys.path), set(sys.modules))
    folder = tempfile.mkdtemp()
    saved = [os.dup(1), os.dup(2)]
    nowhere = os.open("/dev/null", os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os.chdir(folder)
        suite = os.path.join(os.path.dirname(os.path.abspath(__file__)), "warm_suite.py")
        pytest.main([*arguments, "--basetemp", os.path.join(folder, "base"), suite], plugins=[reporter])
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        for kept, standard in zip(saved, (1, 2), strict=True):
            os.dup2(kept, standard)
            os.close(kept)
        os.close(nowhere)
        _forget(folder, *before)


def _forget(folder: str, cwd: str, path: list[str], modules: set[str]) -> None:
    import shutil

    os.chdir(cwd)
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name.startswith("warm_suite"):
            del sys.modules[name]
    shutil.rmtree(folder)
    tempfile.tempdir = None
