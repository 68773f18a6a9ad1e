"""What a verdict costs, beside what one would use instead: `python -m benchmarks.sandbox [--json] [--rounds N]`.

Everything is measured in one run and in turns, because a machine is never as fast as it was a minute ago: times are
medians, and what counts is their ratios. Between two measurements the pool is left to fill, as it does while a model
thinks; the throughput is measured without such a pause. `parked` is one verdict in one container; `confirmed` is what
a user gets: the same, and at the same time a second container in which the module has a process of its own.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks.rivals import DockerRun, PooledSession, bare_subprocess, in_other_hands
from benchmarks.suites import SUITES
from sandbox import Job, TestReport
from sandbox.docker import DockerSandbox
from sandbox.owner import OWNER_LABEL, new_owner
from sandbox.prereqs import find_engine

MANY = 60
RED = "1 failing"
THROUGHPUT_SECONDS = 10.0
"""How long each way is kept busy to see what it gives in a second."""


@dataclass
class Measured:
    """Seconds that were measured, by what was measured, and figures that are none."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)

    def take(self, name: str, act: Callable[[], object]) -> None:
        """Measure `act` once more."""
        began = time.perf_counter()
        act()
        self.seconds.setdefault(name, []).append(time.perf_counter() - began)

    def median(self, name: str) -> float:
        """The median of what was measured as `name`, in seconds."""
        return statistics.median(self.seconds[name])

    def times(self, slow: str, fast: str) -> float:
        """How many times faster `fast` is than `slow`."""
        return round(self.median(slow) / self.median(fast), 2)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sandbox", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the table")
    parser.add_argument("--rounds", type=int, default=20, help="how often each thing is measured (default: 20)")
    chosen = parser.parse_args()
    measured = measure(max(1, chosen.rounds), _tell)
    sys.stdout.write(json.dumps(summary(measured)) + "\n" if chosen.json else table(measured))
    return 0


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def measure(rounds: int, progress: Callable[[str], None]) -> Measured:
    """All of it."""
    measured = Measured()
    with (
        tempfile.TemporaryDirectory(prefix="selfheal-bench-") as folder,
        DockerSandbox(confirm=False) as sandbox,
        DockerSandbox(pool_size=1) as confirming,
    ):
        sandbox.prepare(progress)
        confirming.prepare(progress)
        image = sandbox.run(Job(code="", tests="def test_a(): ...")).image
        folders = {name: _placed(Path(folder) / name, job) for name, job in SUITES.items()}
        rival = DockerRun(image)
        pooled = in_other_hands(image, progress)
        for number in range(rounds):
            progress(f"round {number + 1} of {rounds}")
            for name, job in SUITES.items():
                confirming.settle()
                _in_turn(measured, name, job, folders[name], sandbox, rival, pooled)
                measured.take(f"confirmed, {name}", partial(_verdict, confirming, job, name != RED))
            sandbox.settle()
            confirming.settle()
            _cold(measured)
        if pooled is not None:
            pooled.close()
        progress("throughput")
        _throughput(measured, sandbox, rival, folders["2 tests"])
        _many(measured, sandbox, rounds)
        measured.figures["parked_mb"] = _parked_memory(sandbox)
    return measured


def _placed(folder: Path, job: Job) -> Path:
    folder.mkdir()
    folder.chmod(0o755)  # a container's user reads it
    (folder / job.module_file).write_text(job.code)
    (folder / job.suite_file).write_text(job.tests)
    return folder


def _in_turn(
    measured: Measured,
    name: str,
    job: Job,
    folder: Path,
    sandbox: DockerSandbox,
    rival: DockerRun,
    pooled: PooledSession | None,
) -> None:
    green = name != RED
    sandbox.settle()
    measured.take(f"parked, {name}", lambda: _checked(sandbox.run(job), green))
    sandbox.settle()
    measured.take(f"subprocess, {name}", lambda: bare_subprocess(folder, green))
    measured.take(f"docker run, {name}", lambda: rival.run(folder, green))
    if pooled is not None:
        measured.take(f"llm-sandbox, {name}", lambda: pooled.run(job, green))


def _verdict(sandbox: DockerSandbox, job: Job, green: bool) -> None:
    _checked(sandbox.run(job), green)


def _checked(report: TestReport, green: bool) -> None:
    if report.status != ("passed" if green else "failed"):
        raise RuntimeError(f"the report is {report.status}: {report.error_summary or report.reason}")


def _cold(measured: Measured) -> None:
    """The first verdict of a program: engine found, leftovers swept, image looked up, container made."""
    with DockerSandbox(pool_size=0, confirm=False) as fresh:
        measured.take("cold, 2 tests", lambda: _checked(fresh.run(SUITES["2 tests"]), green=True))


def _throughput(measured: Measured, sandbox: DockerSandbox, rival: DockerRun, folder: Path) -> None:
    """Each way in turns, kept busy by two threads as a machine of two processors is by two runs."""
    ways: dict[str, Callable[[], None]] = {
        "parked": lambda: _checked(sandbox.run(SUITES["2 tests"]), green=True),
        "docker run": lambda: rival.run(folder, green=True),
    }
    counts = dict.fromkeys(ways, 0)
    spent = dict.fromkeys(ways, 0.0)
    for _ in range(2):
        for way, act in ways.items():
            sandbox.settle()
            done, seconds = _kept_busy(act, THROUGHPUT_SECONDS / 2)
            counts[way] += done
            spent[way] += seconds
    for way in ways:
        measured.figures[f"{way}, verdicts/s"] = counts[way] / spent[way]


def _kept_busy(act: Callable[[], None], seconds: float) -> tuple[int, float]:
    from concurrent.futures import ThreadPoolExecutor

    began = time.perf_counter()

    def repeat() -> int:
        done = 0
        while time.perf_counter() - began < seconds:
            act()
            done += 1
        return done

    with ThreadPoolExecutor(2) as threads:
        done = sum(work.result() for work in [threads.submit(repeat) for _ in range(2)])
    return done, time.perf_counter() - began


def _many(measured: Measured, sandbox: DockerSandbox, rounds: int) -> None:
    jobs = [SUITES["2 tests"]] * max(rounds, MANY)
    sandbox.run_many(jobs[:1])  # as a run does that has mutants to try: the next container is then parked
    sandbox.settle()
    began = time.perf_counter()
    for report in sandbox.run_many(jobs):
        _checked(report, green=True)
    measured.figures["run_many, verdicts/s"] = len(jobs) / (time.perf_counter() - began)


def _parked_memory(sandbox: DockerSandbox) -> float:
    """MiB that a parked container holds, as its control group counts it, without what the kernel may drop."""
    sandbox.settle()
    here = new_owner().rpartition(".")[0]
    with closing(find_engine().client) as client:
        found = client.api.containers(filters={"label": OWNER_LABEL})
        parked = [each["Id"] for each in found if each["Labels"][OWNER_LABEL].startswith(f"{here}.")]
        told = [client.api.stats(identity, stream=False, one_shot=True)["memory_stats"] for identity in parked]
    held: list[float] = [each["usage"] - each["stats"].get("total_inactive_file", 0) for each in told]
    return statistics.median(held) / 2**20


def summary(measured: Measured) -> dict[str, float]:
    """The figures that are held to a bar."""
    figures = measured.figures
    return {
        "verdict_vs_subprocess": measured.times("subprocess, 2 tests", "parked, 2 tests"),
        "verdict_vs_docker_run": measured.times("docker run, 2 tests", "parked, 2 tests"),
        "thirty_vs_subprocess": measured.times("subprocess, 30 tests", "parked, 30 tests"),
        "cold_vs_docker_run": measured.times("docker run, 2 tests", "cold, 2 tests"),
        "throughput_vs_docker_run": round(figures["parked, verdicts/s"] / figures["docker run, verdicts/s"], 2),
        "run_many_per_s": round(figures["run_many, verdicts/s"], 1),
        "verdict_ms": round(measured.median("parked, 2 tests") * 1000, 2),
        "confirmed_ms": round(measured.median("confirmed, 2 tests") * 1000, 2),
        "confirmed_vs_subprocess": measured.times("subprocess, 2 tests", "confirmed, 2 tests"),
        "confirmed_vs_docker_run": measured.times("docker run, 2 tests", "confirmed, 2 tests"),
        "failing_vs_passing": measured.times("parked, 1 failing", "parked, 2 tests"),
        "parked_mb": round(figures["parked_mb"], 1),
    }


def table(measured: Measured) -> str:
    """All of it, to be read."""
    ways = ("parked", "confirmed", "subprocess", "docker run", "llm-sandbox", "cold")
    lines = [f"{'milliseconds, median (p95)':<28}" + "".join(f"{name:>20}" for name in SUITES)]
    for way in ways:
        cells = [_cell(measured.seconds.get(f"{way}, {name}")) for name in SUITES]
        if any(cells):
            lines.append(f"{way:<28}" + "".join(f"{cell or '-':>20}" for cell in cells))
    lines += ["", *(f"{name:<28}{figure:>20.1f}" for name, figure in measured.figures.items()), ""]
    lines += [f"{name:<28}{figure:>20g}" for name, figure in summary(measured).items()]
    return "\n".join(lines) + "\n"


def _cell(seconds: list[float] | None) -> str:
    if not seconds:
        return ""
    ordered = sorted(seconds)
    late = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return f"{statistics.median(ordered) * 1000:.1f} ({late * 1000:.1f})"


if __name__ == "__main__":
    sys.exit(main())
