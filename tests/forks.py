"""Runs the real command many times without loading Python's libraries again: each in a process forked from one that
has loaded them, told when to kill itself."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent

PARENT = """
import json, os, signal, subprocess, sys
import docker, filelock, jinja2, junitparser, langchain_openai, langgraph.checkpoint.sqlite, langgraph.store.sqlite
import src.cli.app, src.cli.resume, src.cli.run, src.graph, src.runs.runs
from src.main import main
from src.runs.book import StoreBook
from src.runs.slim import SlimSaver
from sandbox.backends import BACKENDS
from tests.src.cli.conftest import ScriptedSandbox

BACKENDS["scripted"] = "tests.src.cli.conftest:ScriptedSandbox"

def fatal(done, kill):
    left = [kill["number"]]
    def wrapped(original):
        def call(*arguments, **options):
            left[0] -= 1
            if left[0] == 0 and not kill["after"]:
                os.kill(os.getpid(), signal.SIGKILL)
            result = original(*arguments, **options)
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return result
        return call
    for owner, name in done:
        setattr(owner, name, wrapped(getattr(owner, name)))
    return left

PLACES = {
    "write": [(SlimSaver, "put"), (SlimSaver, "put_writes"), (StoreBook, "put")],
    "process": [(subprocess.Popen, "__init__")],
}

def child(order):
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    for number, name in ((1, "stdout"), (2, "stderr")):
        opened = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(opened, number)
    sys.argv = ["selfheal", *order["words"]]
    kill = order["kill"]
    left = fatal(PLACES[kill["place"]], kill)
    code = 70
    try:
        main()
    except SystemExit as ending:
        code = ending.code or 0
    finally:
        sys.stdout.flush()
        with open("count", "w") as file:
            file.write(str(kill["number"] - left[0]))
        os._exit(code)

for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        child(json.loads(line))
    print(json.dumps(pid), flush=True)
    print(json.dumps(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])), flush=True)
"""


@dataclass(frozen=True)
class Kill:
    """The moment at which a command kills itself, as nobody else could."""

    place: str = "write"
    """`write`: something is written to the database. `process`: the subprocess sandbox starts a process."""
    number: int = 1_000_000
    """Which one; counted from 1."""
    after: bool = False
    """Once it is done, else before it is begun."""


class Forks:
    """The process that has loaded everything."""

    def __init__(self) -> None:
        self._parent = subprocess.Popen(
            [sys.executable, "-c", PARENT], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def start(
        self, folder: Path, environment: Mapping[str, str], words: Sequence[str], kill: Kill | None = None
    ) -> int:
        """Begin a command in a folder; gives its process."""
        folder.mkdir(parents=True, exist_ok=True)
        order = {"folder": str(folder), "environment": dict(environment), "words": list(words)}
        assert self._parent.stdin is not None
        self._parent.stdin.write(json.dumps({**order, "kill": vars(kill or Kill())}) + "\n")
        self._parent.stdin.flush()
        return int(self._told())

    def ended(self) -> int:
        """Wait for its end; gives its exit code, negative for the signal that killed it."""
        return int(self._told())

    def __call__(
        self, folder: Path, environment: Mapping[str, str], words: Sequence[str], kill: Kill | None = None
    ) -> int:
        """Carry out a command; gives its exit code, negative for the signal that killed it."""
        self.start(folder, environment, words, kill)
        return self.ended()

    def close(self) -> None:
        """End it."""
        self._parent.communicate(timeout=60)

    def _told(self) -> Any:
        assert self._parent.stdout is not None
        line = self._parent.stdout.readline()
        assert line, "the process that forks has died"
        return json.loads(line)
