"""What the tutorial's way would have sent: whole code, whole suite and pytest's own account of the failure, each time.

Its wording is our own; it is shorter than any debugger's that we know of, so that the comparison does not lean our way.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from src.prompts import fenced
from src.state import Message

SECONDS = 15
SYSTEM = """\
You are an expert debugger. A Python module failed its pytest suite. Find the root cause and repair the module; do not
change the tests.

Answer in this form:

### DIAGNOSIS
(two or three sentences)

### PATCHED_CODE
```python
(the whole repaired module)
```"""
_TOLD = re.compile(r"^=+ (?:FAILURES|ERRORS) =+$.*?(?=^=+ short test summary info|\Z)", re.MULTILINE | re.DOTALL)
_LAST_LINES = 25


def debugger_call(code: str, suite: str, failure: str) -> list[Message]:
    """The messages of one call of its debugger."""
    told = (
        f"### CODE\n{fenced(code, 'python')}\n\n### TESTS\n{fenced(suite, 'python')}\n\n### ERRORS\n{fenced(failure)}"
    )
    return [("system", SYSTEM), ("human", told)]


def failure_of(code: str, suite: str, seconds: float = SECONDS) -> str:
    """The FAILURES or ERRORS of `pytest -v` up to its short summary, else its last lines.

    It runs `code` on this machine, as the tutorial does: for code that is known. `seconds`: how long it may take.
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "solution.py").write_text(code, encoding="utf-8")
        (Path(folder) / "test_solution.py").write_text(suite, encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider"]
        environment = {"COLUMNS": "80", "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            ran = subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired:
            return f"The tests did not end within {seconds} seconds."
        return told_of(ran.stdout.decode(errors="replace").replace(folder, "/tmp/run"))


def told_of(output: str) -> str:
    """What the tutorial keeps of pytest's output."""
    found = _TOLD.search(output)
    return found[0].rstrip() if found else "\n".join(output.splitlines()[-_LAST_LINES:])
