"""What a debugger is sent in a healing run, against the tutorial's way: `python -m benchmarks.tokens [--json]`.

A run of n iterations: a wrong module, n - 1 wrong patches that fail in ways of their own, then the right module. Whole
runs of the team in real containers, with models that play a part; the request is the specification too. Counted on both
sides is every message of every call of the debugger, on the same candidates with the same counter; the tutorial's way
sends the whole module, the whole suite and pytest's own account of the failure each time, and runs the candidates on
this machine. The tasks lie beside the repository where it is developed.
"""

import argparse
import json
import sys
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from benchmarks import tutorial
from benchmarks.attempts import failing
from benchmarks.counting import repeated, tokens_of
from benchmarks.healing import Healing, heal, job_of, untold
from benchmarks.once import Once
from benchmarks.sent import ITERATIONS, Compared, Sent, figures, table
from benchmarks.tasks import Task, tasks
from sandbox import Limits, Sandbox, TestReport
from sandbox.docker import DockerSandbox

SOURCES = {"quixbugs": 40, "humaneval": 12, "exercism": 12}
"""Tasks of each source; the first source is what the headline speaks of, the last one that of long suites."""
THREADS = 2
BRIEF = Limits(seconds=4)
"""For variants, many of which never end."""


def main(arguments: list[str] | None = None) -> int:
    """Measure every source and print a table, or one object with the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.tokens", description="Tokens that a debugger is sent, against the tutorial's way."
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--most", type=int, help="tasks of each source at most")
    parser.add_argument("--only", choices=SOURCES, help="this source alone")
    options = parser.parse_args(arguments)
    wanted = [options.only] if options.only else SOURCES
    chosen = {source: _chosen(source)[: options.most] for source in wanted}
    with DockerSandbox(confirm=False) as sandbox:
        sandbox.prepare(_progress)
        measured = {source: measure(sandbox, every, _progress) for source, every in chosen.items()}
    sys.stdout.write(json.dumps(figures(measured)) + "\n" if options.json else table(measured))
    return 0


def _chosen(source: str) -> list[Task]:
    """From the first on; of exercism those whose module and suite are longest."""
    every = tasks(source)
    if source == "exercism":
        every.sort(key=lambda task: len(task.reference) + len(task.plain_suite), reverse=True)
    return every[: SOURCES[source]]


def _progress(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def measure(sandbox: Sandbox, every: Sequence[Task], progress: Callable[[str], None]) -> list[Compared]:
    """Play every task. Runs the wrong modules on this machine too, as the tutorial does."""
    with ThreadPoolExecutor(THREADS) as threads:
        compared = []
        for one in threads.map(partial(_compare, Once(sandbox)), every):
            compared.append(one)
            progress(f"{len(compared)} of {len(every)}: {one.name}: {one.told}")
    return compared


def _compare(sandbox: Sandbox, task: Task) -> Compared:
    wrong = _wrong(sandbox, task)
    failures = [tutorial.failure_of(code, task.plain_suite) for code in wrong]
    theirs = [tutorial.debugger_call(code, task.plain_suite, told) for code, told in zip(wrong, failures, strict=True)]
    runs = {}
    for number in range(1, len(wrong) + 1):
        healing = heal(task, wrong[:number], sandbox)
        if healing.refused:
            return Compared(task.name, {}, f"its suite is refused: {healing.refused}")
        runs[number] = Sent(
            ours=sum(map(tokens_of, healing.calls)),
            theirs=sum(map(tokens_of, theirs[:number])),
            ours_repeated=repeated(healing.calls),
            theirs_repeated=repeated(theirs[:number]),
            verified=healing.verified,
            untold=tuple(_untold(sandbox, task, wrong, healing)),
        )
    return Compared(task.name, runs)


def _wrong(sandbox: Sandbox, task: Task) -> list[str]:
    """The wrong module and wrong patches, at most as many as there are iterations."""

    def run(codes: list[str]) -> list[TestReport]:
        return sandbox.run_many([job_of(task, code).model_copy(update={"limits": BRIEF}) for code in codes])

    seed = zlib.crc32(task.name.encode())  # another one for each task, and the same in every measurement
    if task.buggy is None:
        return failing([task.reference], ITERATIONS[-1], seed, run)
    first = sandbox.run(job_of(task, task.buggy))
    return [task.buggy, *failing([task.buggy, task.reference], ITERATIONS[-1] - 1, seed, run, [first])]


def _untold(sandbox: Sandbox, task: Task, wrong: Sequence[str], healing: Healing) -> list[str]:
    """What is missing in any call, whichever of the wrong modules it is about."""
    reports = {code: sandbox.run(job_of(task, code)) for code in wrong}
    missing = []
    for number, messages in enumerate(healing.calls):
        told = messages[1][1]
        code = next((code for code in wrong if code.strip() in told), wrong[min(number, len(wrong) - 1)])
        missing += [f"call {number + 1}: {what}" for what in untold(reports[code], task.suite, told)]
    return missing


if __name__ == "__main__":
    sys.exit(main())
