"""When is a failure the same as before? By failing tests, types of exceptions, and messages without their noise."""

import hashlib
import re
from collections.abc import Collection

from sandbox import TestReport

_NOISE = (
    (re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]"), ""),
    (re.compile(r"(?:Falsifying example|You can reproduce this example|@reproduce_failure).*", re.S), ""),
    (re.compile(r"\b0x[0-9a-fA-F]{4,}\b"), "0x"),
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.I), "UUID"),
    (re.compile(r"(?<![\w.])/(?:[\w.+-]+/)+"), ""),  # folders; the name of the file stays
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.\d+"), "TIME"),
    (re.compile(r"\b\d+\.\d+(?:e-?\d+)? ?(?:s|ms|us|µs|ns|sec|secs|seconds|milliseconds)\b"), "TIME"),
    (re.compile(r"\b\d{10,}(?:\.\d+)?\b"), "N"),  # ids of objects, seconds since 1970
    (re.compile(r"\b(Thread|Task|pid|process)([- ]?)\d+\b", re.I), r"\1\2N"),
    (re.compile(r"\s+"), " "),
)
_LONGEST = 2000


def normalised(message: str) -> str:
    """`message` without addresses, ids, times, folders and what Hypothesis adds."""
    text = message[:_LONGEST]
    for pattern, instead in _NOISE:
        text = pattern.sub(instead, text)
    return text.strip()


def signature(report: TestReport, flaky: Collection[str] = ()) -> str:
    """A digest that two runs share when they failed in the same way. `flaky`: tests that say nothing, unless all do."""
    red = [test for test in report.tests if test.outcome in ("failed", "error")]
    told = [test for test in red if test.id not in flaky] or red
    failures = sorted((normalised(test.id), test.exception, normalised(test.message)) for test in told)
    whole = [] if failures else [report.status, normalised(report.reason)]
    return hashlib.sha256(repr((failures, whole)).encode("utf-8", "replace")).hexdigest()
