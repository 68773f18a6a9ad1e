"""Extra Python packages for generated code: one more layer on the sandbox image, from a file of pinned requirements."""

import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox.errors import ImageUnavailable

if TYPE_CHECKING:
    import docker

PINNED = re.compile(r"[A-Za-z0-9][\w.-]*(\[[\w,. -]+\])?\s*==\s*[^\s*;]+(\s*;.*)?")
LAYER = """\
ARG BASE_IMAGE
FROM ${BASE_IMAGE}
COPY extra/ /opt/extra/
RUN python3 -m pip install --quiet --no-cache-dir --no-index --find-links /opt/extra/wheels \\
        --target /opt/selfheal/site-packages --requirement /opt/extra/requirements.txt
"""
"""Beside pytest and hypothesis, whose own pins win: a package that is there already is not replaced."""

PROBE = "import json, platform, sys; print(json.dumps([*sys.version_info[:2], platform.machine()]))"
GLIBC = ("2_17", "2_28", "2_34")
"""The versions of manylinux that wheels are asked for; what Debian 12 and later can load."""


def read_requirements(path: Path) -> str:
    """The requirements in `path`. Raises `ImageUnavailable` when it cannot be read or a line is not pinned."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ImageUnavailable(f"The file of extra packages {path} cannot be read: {error}.") from None
    for number, line in enumerate(text.splitlines(), start=1):
        requirement = line.partition("#")[0].strip()
        if requirement and not PINNED.fullmatch(requirement):
            raise ImageUnavailable(
                f"{path}, line {number}: {requirement!r} is not pinned.",
                "Name one version of each package, such as numpy==2.1.3; options and addresses are not taken.",
            )
    return text


def layer_name(image: str, requirements: str) -> str:
    """Name of `image` with the extra packages on top: another one for any change of either."""
    digest = hashlib.sha256(json.dumps([image, requirements, LAYER]).encode()).hexdigest()
    return f"{image.partition(':')[0]}:extra-{digest[:16]}"


def layer_context(requirements: str, wheels: Path) -> bytes:
    """The build context of the layer as a tar archive."""
    files = {"Dockerfile": LAYER.encode(), "extra/requirements.txt": requirements.encode()}
    files |= {f"extra/wheels/{wheel.name}": wheel.read_bytes() for wheel in sorted(wheels.glob("*.whl"))}
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o644
            tar.addfile(entry, io.BytesIO(content))
    return archive.getvalue()


def download_extra(client: "docker.DockerClient", image: str, requirements: str, folder: Path) -> None:
    """Fetch the packages and what they need into `folder`, for the Python that `image` has. Raises `ImageUnavailable`.

    The host downloads, since a build has no network; wheels only, so that nothing of theirs runs here.
    """
    pins = folder / "requirements.txt"
    pins.write_text(requirements, encoding="utf-8")
    options = ["--quiet", "--disable-pip-version-check", "--only-binary=:all:", *_platform(client, image)]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), "--requirement", str(pins)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode:
        told = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()
        raise ImageUnavailable(
            f"The extra packages could not be downloaded: {' '.join(told[-2:])}",
            "Each needs a wheel for the sandbox's Python; check the names and versions.",
        )


def _platform(client: "docker.DockerClient", image: str) -> list[str]:
    answer: Any = client.containers.run(
        image, ["python3", "-I", "-c", PROBE], remove=True, network_mode="none", user="10002:10002"
    )
    major, minor, machine = json.loads(answer)
    platforms = [f"--platform=manylinux_{version}_{machine}" for version in GLIBC]
    return [f"--python-version={major}.{minor}", "--implementation=cp", *platforms, f"--platform=linux_{machine}"]
