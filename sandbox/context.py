"""What goes into the sandbox image: the build context and the name that tells it from every other."""

import hashlib
import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

from sandbox.errors import ImageUnavailable

DOCKERFILE = Path(__file__).parent.parent / "Dockerfile.sandbox"
GUEST = Path(__file__).parent / "guest"
GUEST_FILES = (
    "canary.py",
    "facts.py",
    "keeper.py",
    "launch.py",
    "own_tests.py",
    "parking.py",
    "pytest.ini",
    "reporter.py",
    "requirements.txt",
    "seals.py",
    "supervisor.py",
    "tally.py",
    "values.py",
    "warm_suite.py",
    "watch.py",
    "worker.py",
    *(f"split/{path.name}" for path in sorted((GUEST / "split").glob("*.py"))),
)
REPOSITORY = "selfheal-sandbox"


def image_name(base_id: str) -> str:
    """Name of the image built on the base image `base_id`: another one for any change of what goes in."""
    parts = {name: content.decode() for name, content in _sources().items()}
    digest = hashlib.sha256(json.dumps([base_id, parts], sort_keys=True).encode()).hexdigest()
    return f"{REPOSITORY}:{digest[:16]}"


def build_context(wheels: Path) -> bytes:
    """The build context as a tar archive: the Dockerfile, `guest/` and `wheels/`."""
    files = {f"wheels/{wheel.name}": wheel.read_bytes() for wheel in sorted(wheels.glob("*.whl"))}
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name, content in {**_sources(), **files}.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o644
            tar.addfile(entry, io.BytesIO(content))
    return archive.getvalue()


def _sources() -> dict[str, bytes]:
    guest = {f"guest/{name}": (GUEST / name).read_bytes() for name in GUEST_FILES}
    return {"Dockerfile": DOCKERFILE.read_bytes(), **guest}


def download_wheels(folder: Path) -> None:
    """Fetch the pinned packages into `folder` and check them by their hashes. Raises `ImageUnavailable`."""
    pins = GUEST / "requirements.txt"
    options = ["--quiet", "--disable-pip-version-check", "--only-binary=:all:", "--no-deps", "--require-hashes"]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), "--requirement", str(pins)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        raise ImageUnavailable(
            f"The packages of the sandbox image could not be downloaded: {''.join(last)}",
            f"Check that pip reaches its package index, then try: pip download --no-deps -r {pins}",
        )
