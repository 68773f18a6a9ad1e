"""What VERIFIED rests on, measured with planted faults: `python -m benchmarks.trust [--json] [--most N]`.

The tasks lie beside the repository where it is developed. Real containers; models that play a part, so that no key is
needed and every run is the same.
"""

import argparse
import json
import sys

from benchmarks import vacuous, wrong_assertions
from sandbox.docker import DockerSandbox


def main(arguments: list[str] | None = None) -> int:
    """Measure every part and print the tables, or one object with the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.trust", description="Plants faults and counts what is caught."
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--most", type=int, help="tasks of each source at most")
    options = parser.parse_args(arguments)
    with DockerSandbox(confirm=False) as sandbox:
        sandbox.prepare(_progress)
        hollow = vacuous.measure(sandbox, _progress, options.most)
        wrong = wrong_assertions.measure(sandbox, _progress, options.most)
    if options.json:
        written = json.dumps({**hollow.summary, **wrong.summary}) + "\n"
    else:
        written = f"{vacuous.table(hollow)}\n{wrong_assertions.table(wrong)}"
    sys.stdout.write(written)
    return 0


def _progress(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
