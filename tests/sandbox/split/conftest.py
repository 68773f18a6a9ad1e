"""Runs small suites through split mode in two real processes."""

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

GUEST = Path(__file__).parents[3] / "sandbox" / "guest"
RUNNER = Path(__file__).with_name("run_split.py")


@dataclass
class Told:
    """What one split run came to."""

    status: int
    passed: list[str]
    failed: dict[str, str]
    cannot_carry: list[str]
    refused: list[str]
    broken: str
    output: str = ""

    @property
    def green(self) -> bool:
        """Whether the sandbox would take it for a confirmation."""
        return self.status == 0 and not self.broken


def run_split(job: Path, module: str, suite: str, seconds: float = 60) -> Told:
    """Run `suite` against `module` in two processes."""
    (job / "module").mkdir(parents=True)
    (job / "module" / "solution.py").write_text(textwrap.dedent(module), encoding="utf-8")
    (job / "test_solution.py").write_text(textwrap.dedent(suite), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-I", str(RUNNER), str(GUEST), str(job)],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=seconds,
        env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "HOME": str(job), "TF_BUILD": "true"},
    )
    told = job / "told.json"
    assert told.is_file(), ran.stdout + ran.stderr
    return Told(**json.loads(told.read_text()), output=ran.stdout + ran.stderr)


def run_together(job: Path, module: str, suite: str) -> int:
    """The exit status of plain pytest, module and suite in one process."""
    job.mkdir(parents=True)
    (job / "solution.py").write_text(textwrap.dedent(module), encoding="utf-8")
    (job / "test_solution.py").write_text(textwrap.dedent(suite), encoding="utf-8")
    places = ["-c", "/dev/null", "--rootdir", str(job), "--noconftest", "-p", "no:cacheprovider", "-q"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *places, "test_solution.py"], capture_output=True, cwd=job, timeout=60
    )
    return ran.returncode


@pytest.fixture
def split(tmp_path: Path) -> Callable[[str, str], Told]:
    """`split(module, suite)`: what a split run came to."""
    return lambda module, suite: run_split(tmp_path / "split", module, suite)


@pytest.fixture
def together(tmp_path: Path) -> Callable[[str, str], int]:
    """`together(module, suite)`: the exit status of both in one process."""
    return lambda module, suite: run_together(tmp_path / "together", module, suite)


@pytest.fixture
def split_into() -> Callable[[Path, str, str], Told]:
    """`split_into(folder, module, suite)`: the same in a folder of one's own."""
    return run_split
