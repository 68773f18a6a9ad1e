"""Many runs at once on one database: none waits for ever, none is lost."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from sandbox.fake import FakeSandbox
from src.runs import SavedRun
from tests.conftest import RunsReadOnce
from tests.test_graph import DESIGN, RIGHT, measure, module

ROOT = Path(__file__).parent.parent
RUNS, THREADS = 200, 32
PROCESSES, EACH = 8, 3

FORKED = f"""
import os, sys
from pathlib import Path
from sandbox.fake import FakeSandbox
from tests.conftest import RunsReadOnce, Team
from tests.test_graph import DESIGN, RIGHT, measure, module
import langgraph.checkpoint.sqlite, langgraph.store.sqlite, src.graph

children = []
for process in range({PROCESSES}):
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            for number in range({EACH}):
                answers = dict(architect=[DESIGN], developer=[module(RIGHT)], reviewer=["Good."])
                crew = Team(FakeSandbox(measure), f"p{{process}}-{{number}}", **answers)
                RunsReadOnce(Path(sys.argv[1]), min_tests=1).start("add numbers", crew.context)
            code = 0
        finally:
            os._exit(code)
    children.append(pid)
sys.exit(any(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children))
"""


def check_all(runs: RunsReadOnce, number: int) -> None:
    found = list(runs.all())
    assert len(found) == number
    for run in found:
        assert isinstance(run, SavedRun)
        assert (run.finished, run.state["status"], len(run.calls)) == (True, "completed", 3)


def test_two_hundred_runs_in_one_process_all_end_and_are_all_saved(tmp_path: Path, team: Callable[..., Any]) -> None:
    runs = RunsReadOnce(tmp_path / "runs.sqlite", min_tests=1)

    def run(number: int) -> str:
        crew = team(
            FakeSandbox(measure), f"r{number}", architect=[DESIGN], developer=[module(RIGHT)], reviewer=["Good."]
        )
        return runs.start("add numbers", crew.context)["status"]

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(run, range(RUNS))) == ["completed"] * RUNS
    check_all(runs, RUNS)


def test_eight_processes_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    done = subprocess.run([sys.executable, "-c", FORKED, path], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    check_all(RunsReadOnce(path, min_tests=1), PROCESSES * EACH)
