"""README.md claims only what is so."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from src.errors import ExitCode
from src.graph import build_graph

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_picture_is_the_graph() -> None:
    assert f"```mermaid\n{build_graph().get_graph().draw_mermaid(with_styles=False)}```" in README


def test_its_options_are_those_of_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "src.main", "--help"],
        cwd=ROOT,
        env={"COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout[done.stdout.index("Options:") :].strip() in README


def test_it_names_every_exit_code() -> None:
    table = {int(code) for code in re.findall(r"^\| (\d+) \|", README, re.MULTILINE)}
    assert {*ExitCode, 70} == table


@pytest.mark.docker
@pytest.mark.usefixtures("container")
def test_its_python_example_runs(tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (tmp_path / "transcripts").symlink_to(ROOT / "transcripts")
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "passed 1\n"), done.stderr
