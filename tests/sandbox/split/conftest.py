"""Runs small suites through split mode in two real processes."""

import json
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

GUEST = Path(__file__).parents[3] / "sandbox" / "guest"
RUNNER = Path(__file__).with_name("run_split.py")
PATIENCE = 120.0
"""Seconds that one suite may take on a busy machine. A check for hangs, not for speed."""


@dataclass
class Told:
    """What one run came to."""

    status: int
    passed: list[str]
    failed: dict[str, str]
    cannot_carry: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    broken: str = ""
    output: str = ""

    @property
    def green(self) -> bool:
        """Whether the sandbox would take it for a confirmation."""
        return self.status == 0 and not self.broken


class Runner:
    """A process with pytest loaded that forks a child for each suite: to start one anew would take far longer."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", str(RUNNER), str(GUEST)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "TF_BUILD": "true"},
            start_new_session=True,
        )

    def run(self, job: Path, module: str, suite: str, *, split: bool) -> Told:
        """What `suite` came to against `module`, in a process of its own or not."""
        (job / "module").mkdir(parents=True)
        (job / "module" / "solution.py").write_text(textwrap.dedent(module), encoding="utf-8")
        (job / "test_solution.py").write_text(textwrap.dedent(suite), encoding="utf-8")
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"job": str(job), "split": split}) + "\n")
        self._process.stdin.flush()
        late = threading.Timer(PATIENCE, self._process.kill)
        late.start()
        assert self._process.stdout.readline() == "over\n", "the suite hangs"
        late.cancel()
        output = (job / "output").read_text(errors="replace")
        assert (job / "told.json").is_file(), output
        return Told(**json.loads((job / "told.json").read_text()), output=output)

    def end(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    """One for all tests."""
    runner = Runner()
    yield runner
    runner.end()


@pytest.fixture
def split(runner: Runner, tmp_path: Path) -> Callable[[str, str], Told]:
    """`split(module, suite)`: what a split run came to."""
    return lambda module, suite: runner.run(tmp_path / "split", module, suite, split=True)


@pytest.fixture
def together(runner: Runner, tmp_path: Path) -> Callable[[str, str], Told]:
    """`together(module, suite)`: what a run of both in one process came to."""
    return lambda module, suite: runner.run(tmp_path / "together", module, suite, split=False)


@pytest.fixture
def split_into(runner: Runner) -> Callable[[Path, str, str], Told]:
    """`split_into(folder, module, suite)`: a split run in a folder of one's own."""
    return lambda job, module, suite: runner.run(job, module, suite, split=True)
