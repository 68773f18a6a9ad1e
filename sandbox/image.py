"""Builds the image that generated code runs in, when it is first needed."""

import contextlib
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox.base import Progress
from sandbox.base_image import DEFAULT_BASE, find_base, local_id, obtain_base
from sandbox.container import our_errors
from sandbox.context import build_context, download_wheels, image_name
from sandbox.errors import ImageUnavailable
from sandbox.failure import one_line

if TYPE_CHECKING:
    import docker

SHOWN_LINES = 15


def present_image(client: "docker.DockerClient", base_image: str = DEFAULT_BASE) -> str | None:
    """Digest of the up-to-date image, `None` when it has yet to be built. Builds and fetches nothing.

    Raises `EngineUnavailable`.
    """
    with our_errors():
        base_id = find_base(client, base_image)
        return local_id(client, image_name(base_id)) if base_id else None


def ensure_image(client: "docker.DockerClient", base_image: str, progress: Progress) -> str:
    """Digest of the up-to-date image, which is built now if it is not there. Raises `ImageUnavailable`.

    The name of the image carries a hash of all that goes in, so that an outdated one is never used. Processes that
    need it at the same time wait for the first of them.
    """
    present = present_image(client, base_image)
    if present:
        return present
    with _one_at_a_time():
        base_id = obtain_base(client, base_image, progress)
        name = image_name(base_id)
        present = local_id(client, name)
        if not present:
            _build(client, name, base_id, progress)
            present = local_id(client, name)
    if not present:
        raise ImageUnavailable(f"The image {name} vanished as soon as it was built.", "Try again.")
    return present


def _build(client: "docker.DockerClient", name: str, base_id: str, progress: Progress) -> None:
    from docker.errors import APIError

    with tempfile.TemporaryDirectory(prefix="selfheal-wheels-") as folder:
        progress("downloading the packages of the sandbox image")
        download_wheels(Path(folder))
        context = build_context(Path(folder))
    progress(f"building the sandbox image {name}")
    try:
        messages = client.api.build(
            fileobj=io.BytesIO(context),
            custom_context=True,
            encoding=None,
            tag=name,
            buildargs={"BASE_IMAGE": base_id},
            network_mode="none",
            rm=True,
            forcerm=True,
            decode=True,
        )
        _follow(messages, progress)
    except APIError as error:
        raise ImageUnavailable(f"The sandbox image could not be built: {error.explanation or error}") from error


def _follow(messages: Any, progress: Progress) -> None:
    lines: list[str] = []
    for message in messages:
        told = str(message.get("stream", "")).strip()
        lines += told.splitlines()
        if "error" in message:
            last = "\n".join(lines[-SHOWN_LINES:])
            raise ImageUnavailable(
                f"The sandbox image could not be built: {message['error']}",
                f"{last}\nThe base image needs Python 3.11 or newer with pip. Choose another with SANDBOX_BASE_IMAGE.",
            )
        if told.startswith("Step "):
            progress(one_line(told, 120))


@contextlib.contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Lets one process of this user in. Where there is no such lock, work may be done twice, and is still right."""
    try:
        import fcntl
        import os
    except ImportError:  # Windows
        yield
        return
    with (Path(tempfile.gettempdir()) / f"selfheal-image-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
