"""The process that `tests.forks` has commands forked from: it has loaded everything that a command could load.

It reads orders, a line of JSON each, and answers each with a line: a new process, or how one ended.
"""

import atexit
import contextlib
import fcntl
import gc
import importlib
import io
import json
import os
import signal
import sys
import tempfile
import termios
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.chat_server import ChatServer

LOADED_FIRST = (
    *("docker", "docker.api", "filelock", "jinja2", "junitparser", "psycopg", "sqlite3"),
    *("langchain_openai", "langgraph.checkpoint.postgres", "langgraph.store.postgres"),
    *("langgraph.checkpoint.sqlite", "langgraph.store.sqlite", "langgraph.checkpoint.serde.encrypted"),
    *("sandbox.docker", "sandbox.subprocess", "src.graph", "src.main", "src.runs.runs", "src.runs.slim"),
    *("src.models.openai", "src.models.replay", "tests.course"),
    *(f"src.cli.{name}" for name in ("app", "audit", "history", "lessons", "resume", "run", "runs", "show", "travel")),
)
"""What each command would load for itself."""


Fatal = tuple[Any, str, Callable[..., bool]]
"""A function by its owner and its name, and which of its calls count, by their arguments."""


def places(kind: str) -> list[Fatal]:
    """What a kill of a kind may come at; see `tests.forks.Kill`."""
    from sandbox.fake import FakeSandbox
    from src.runs.book import StoreBook
    from src.runs.slim import SlimSaver

    def each(*_arguments: Any, **_options: Any) -> bool:
        return True

    def of_the_team(_saver: Any, config: Any, *_more: Any) -> bool:
        return not config["configurable"].get("checkpoint_ns")

    def answered(_book: Any, _place: str, entry: Any) -> bool:
        return bool(entry["standing"] == "answered")

    writes: list[Fatal] = [(SlimSaver, "put", each), (SlimSaver, "put_writes", each), (StoreBook, "put", each)]
    return {
        "write": writes,
        "step": [(SlimSaver, "put", of_the_team)],
        "answer": [(StoreBook, "put", answered)],
        "sandbox": [(FakeSandbox, "run", each), (FakeSandbox, "run_many", each)],
    }[kind]


def arm(kill: dict[str, Any]) -> None:
    """Have the process kill itself. Where a reply that was paid for is lost by it, it notes so in the file `lost`."""
    left = kill["number"]
    ((book, _, answered),) = places("answer")

    def wrapped(owner: Any, original: Callable[..., Any], counts: Callable[..., bool]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            left -= counts(*arguments, **options)
            now = left == 0 and counts(*arguments, **options)
            if now and not kill["after"]:
                if owner is book and answered(*arguments, **options):
                    with open("lost", "a") as file:  # noqa: PTH123  # as little as can be, right before the end
                        file.write(".")
                os.kill(os.getpid(), signal.SIGKILL)
            result = original(*arguments, **options)
            if now:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return call

    for owner, name, counts in places(kill["place"]):
        setattr(owner, name, wrapped(owner, getattr(owner, name), counts))


def opened(order: dict[str, Any]) -> list[int]:
    """The streams that the command is to have; there from the moment that its process is told of."""
    if terminal := order["terminal"]:
        return [os.open(terminal, os.O_RDWR | os.O_NOCTTY) for _ in range(3)]
    made = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    ways = [(order["input"], os.O_RDONLY), ("stdout", made), ("stderr", made)]
    return [os.open(os.path.join(order["folder"], name), way) for name, way in ways]  # noqa: PTH118


def stand_in(order: dict[str, Any], descriptors: Sequence[int]) -> None:
    """Give the process the folder, the environment and the streams that the command is to find."""
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    if order["terminal"]:
        os.setsid()
        fcntl.ioctl(descriptors[0], termios.TIOCSCTTY, 0)
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding="utf-8")
    for name, number, errors in (("stdout", 1, "strict"), ("stderr", 2, "backslashreplace")):
        raw = io.BufferedWriter(io.FileIO(number, "w", closefd=False))
        lines = number == 2 or bool(order["terminal"])
        setattr(sys, name, io.TextIOWrapper(raw, encoding="utf-8", errors=errors, line_buffering=lines))


def child(order: dict[str, Any], descriptors: Sequence[int]) -> int:
    """Carry out the command; its exit code."""
    from src.main import main

    stand_in(order, descriptors)
    sys.argv = ["selfheal", *order["words"]]
    if order["kill"]:
        arm(order["kill"])
    try:
        main()
    except SystemExit as ending:
        return int(ending.code or 0)
    return 0


def warm() -> None:
    """Carry out a command here, so that a child finds done what is done at the first time alone."""
    from src.main import main
    from tests.src.cli.conftest import ARCHITECT, PATCH, REVIEW, WRONG

    replies = {"architect": [ARCHITECT], "reader": ["?"], "developer": [WRONG], "debugger": [PATCH]}
    with tempfile.TemporaryDirectory() as folder, ChatServer({**replies, "reviewer": [REVIEW]}) as server:
        chosen = {"SANDBOX_BACKEND": "scripted", "MIN_TESTS": "1", "OPENAI_API_KEY": "none"}
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        os.environ.clear()
        os.environ.update(kept | server.environment(**chosen))
        sys.argv = ["selfheal", "--prompt", "Answer.", "--out", f"{folder}/out", "--thread", "warm"]
        os.environ["RUNS_PATH"] = f"{folder}/runs.sqlite"
        unheard = contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO())
        with unheard[0], unheard[1], pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0
        server.shutdown()
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(60)
    assert threading.active_count() == 1, "a thread would be missing in the children"


def serve() -> int:
    """Carry out the orders; in a child, give the exit code of the command."""
    from sandbox.backends import BACKENDS

    for name in LOADED_FIRST:
        importlib.import_module(name)
    BACKENDS["scripted"] = importlib.import_module("tests.src.cli.conftest").SCRIPTED
    BACKENDS["course"] = "tests.course:CourseSandbox"
    warm()
    gc.collect()
    gc.freeze()
    orders, told = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w", buffering=1)
    for line in orders:
        order = json.loads(line)
        if "ended" in order:
            told.write(f"{os.waitstatus_to_exitcode(os.waitpid(order['ended'], 0)[1])}\n")
            continue
        descriptors = opened(order)
        pid = os.fork()
        if not pid:
            os.close(orders.fileno())
            os.close(told.fileno())
            return child(order, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        told.write(f"{pid}\n")
    return 0


if __name__ == "__main__":
    code = serve()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    atexit._run_exitfuncs()
    os._exit(code)  # to take all that was loaded apart again would cost as much as the command
