"""The base of the sandbox image: found, pulled, or made from Debian's packages where no registry is reachable."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.base import Progress
from sandbox.errors import ImageUnavailable
from sandbox.failure import one_line

if TYPE_CHECKING:
    import docker

DEFAULT_BASE = "python:3.12-slim"
DEBIAN_BASE = "selfheal-base:bookworm"
DEBIAN_SUITE = "bookworm"
DEBIAN_PACKAGES = "python3,python3-pip,ca-certificates"
BY_HAND = f"""\
Make the base by hand on a Debian or Ubuntu machine, as root:
    apt-get install --yes mmdebstrap debian-archive-keyring
    mmdebstrap --variant=apt --include={DEBIAN_PACKAGES} {DEBIAN_SUITE} base.tar
    docker import base.tar {DEBIAN_BASE}
or let the engine reach a registry, or set SANDBOX_BASE_IMAGE to an image that it has
(Python 3.11 or newer, with pip)."""


def local_id(client: "docker.DockerClient", name: str) -> str | None:
    """Digest of the image `name`, `None` when the engine does not have it."""
    from docker.errors import ImageNotFound

    try:
        return str(client.images.get(name).id)
    except ImageNotFound:
        return None


def find_base(client: "docker.DockerClient", base_image: str) -> str | None:
    """Digest of the base that is at hand: `base_image`, or in place of the default one our own."""
    found = local_id(client, base_image)
    if found is None and base_image == DEFAULT_BASE:
        found = local_id(client, DEBIAN_BASE)
    return found


def obtain_base(client: "docker.DockerClient", base_image: str, progress: Progress) -> str:
    """Digest of the base, fetched or made if it has to be. Raises `ImageUnavailable`.

    Only the default base is replaced by one of our own making; whoever names another one gets that one or an error.
    """
    found: str | None = find_base(client, base_image) or _pull(client, base_image, progress)
    if found is None and base_image == DEFAULT_BASE:
        _make_from_debian(client, progress)
        found = local_id(client, DEBIAN_BASE)
    if found is None:
        raise ImageUnavailable(
            f"The base image {base_image} is not there and cannot be pulled.",
            f"Pull it by hand to see why (docker pull {base_image}), or set SANDBOX_BASE_IMAGE to one that is there.",
        )
    return found


def _pull(client: "docker.DockerClient", base_image: str, progress: Progress) -> str | None:
    from docker.errors import APIError
    from requests.exceptions import RequestException

    progress(f"pulling the base image {base_image}")
    try:
        return str(client.images.pull(base_image).id)  # the newest tag if none is named, never all of them
    except (APIError, RequestException) as error:
        progress(f"it cannot be pulled: {one_line(str(getattr(error, 'explanation', None) or error), 160)}")
        return None


def _make_from_debian(client: "docker.DockerClient", progress: Progress) -> None:
    tool = _mmdebstrap(progress)
    progress(f"making a base image from Debian's packages in its place ({DEBIAN_SUITE}, about a minute)")
    with tempfile.TemporaryDirectory(prefix="selfheal-base-") as folder:
        archive = Path(folder) / "base.tar"
        _run([tool, "--quiet", "--variant=apt", f"--include={DEBIAN_PACKAGES}", DEBIAN_SUITE, str(archive)])
        progress(f"importing it as {DEBIAN_BASE}")
        repository, _, tag = DEBIAN_BASE.partition(":")
        client.api.import_image_from_file(str(archive), repository=repository, tag=tag)


def _mmdebstrap(progress: Progress) -> str:
    found = shutil.which("mmdebstrap")
    if found is None and _may_install():
        progress("installing mmdebstrap, which makes a base image from Debian's packages")
        wait = ["-o", "DPkg::Lock::Timeout=300"]
        _run(["apt-get", "update", "--quiet"])
        _run(["apt-get", "install", "--yes", "--no-install-recommends", *wait, "mmdebstrap", "debian-archive-keyring"])
        found = shutil.which("mmdebstrap")
    if found is None:
        raise ImageUnavailable("The base image cannot be pulled, and there is no mmdebstrap to make one.", BY_HAND)
    return found


def _may_install() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def _run(command: list[str]) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode:
        last = "\n".join(done.stderr.strip().splitlines()[-5:])
        raise ImageUnavailable(f"{command[0]} failed: {last}", BY_HAND)
