"""A run that comes to every box of the team and asks a person at every kind of place: for tests of runs as a whole.

What the request leaves open is asked of a person; the module waits for approval; it is wrong and patched; then a test
is disputed, and the amendment waits for approval too.
"""

from sandbox import Job, TestReport
from sandbox.fake import FakeSandbox, failing_report, passing_report
from src.gates.source import found_tests, parse

REQUEST = "Write to_binary(n), which turns a number into binary digits: to_binary(5) returns '101'."
EXAMPLE = """\
@pytest.mark.example("to_binary(5) returns '101'")
def test_five():
    assert to_binary(5) == "101"
"""
WRONG_TEST = """\
@pytest.mark.request("turns a number into binary digits")
def test_two():
    assert to_binary(2) == "11"
"""
RIGHT_TEST = WRONG_TEST.replace("11", "10")
NEGATIVE = """\
@pytest.mark.assumption("a negative number raises ValueError")
def test_negative():
    with pytest.raises(ValueError):
        to_binary(-5)
"""
SUITE = "\n\n".join(["import pytest\n\nfrom solution import to_binary\n", EXAMPLE, WRONG_TEST, NEGATIVE])
WRONG = "def to_binary(n):\n    return hex(n)[2:]\n"
RIGHT = WRONG.replace("hex", "bin")

DESIGN = f"### SPECIFICATIONS\n\nIt turns a number into its digits.\n\n### TESTS\n\n```python\n{SUITE}```\n"
READING = "Q1: not settled | nothing is said about them\nT1: request | turns a number into binary digits"
CODE = f"```python\n{WRONG}```\n"
PATCH = (
    f"### DIAGNOSIS\n\nThe digits are hexadecimal.\n\n### FAULT\n\ncode\n\n### PATCHED_CODE\n\n```python\n{RIGHT}```\n"
)
DISPUTE = (
    "### DIAGNOSIS\n\nThe test is wrong.\n\n### FAULT\n\ntests\n\n### DISPUTED_TESTS\n\n"
    "- `test_two`: the specification says binary digits, 10; the test expects 11\n"
)
AMENDMENT = f"### DECISION\n\namend\n\n### REASON\n\nTwo is 10.\n\n### TESTS\n\n```python\n{RIGHT_TEST}```\n"

OPTIONS = ("--assume", "ask", "--approve", "code,dispute")
ANSWER = "raises ValueError"


def reply(role: str, told: str) -> str:
    """What a role answers to what it was last told: the same as often as it is asked."""
    if role == "architect":
        return AMENDMENT if "test_two" in told else DESIGN
    if role == "debugger":
        return DISPUTE if "bin(n)" in told else PATCH
    return {"reader": READING, "developer": CODE, "reviewer": "It turns numbers."}[role]


def measured(job: Job) -> TestReport:
    """A module of the course fails what it must; a fake fails everything."""
    tree = parse(job.tests)
    names = [] if isinstance(tree, str) else [test.name for test in found_tests(tree)]
    if job.code not in (WRONG, RIGHT):
        return failing_report(names)
    failed = ["test_five"] * (job.code == WRONG) + ["test_two"] * (WRONG_TEST in job.tests)
    return failing_report(failed, [name for name in names if name not in failed]) if failed else passing_report(names)


class CourseSandbox(FakeSandbox):
    """Measures by `measured`."""

    def __init__(self) -> None:
        super().__init__(measured, series=measured)
