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
from sandbox.outdated import labels_of, remove_outdated
from sandbox.packages import download_extra, layer_context, layer_name, read_requirements

if TYPE_CHECKING:
    import docker

SHOWN_LINES = 15


def present_image(
    client: "docker.DockerClient", base_image: str = DEFAULT_BASE, packages: Path | None = None
) -> str | None:
    """Digest of the up-to-date image, `None` when it has yet to be built. Builds and fetches nothing.

    Raises `EngineUnavailable`, and `ImageUnavailable` when the file of `packages` cannot be used.
    """
    with our_errors():
        base_id = find_base(client, base_image)
        if base_id is None:
            return None
        name = image_name(base_id)
        return local_id(client, layer_name(name, read_requirements(packages)) if packages else name)


def ensure_image(
    client: "docker.DockerClient", base_image: str, progress: Progress, packages: Path | None = None
) -> str:
    """Digest of the up-to-date image, which is built now if it is not there. Raises `ImageUnavailable`.

    The name of the image carries a hash of all that goes in, so that an outdated one is never used. Processes that
    need it at the same time wait for the first of them. `packages`: requirements for one more layer.
    """
    present = present_image(client, base_image, packages)
    if present:
        return present
    with _one_at_a_time():
        base_id = obtain_base(client, base_image, progress)
        name = image_name(base_id)
        found = local_id(client, name) or _build(client, name, base_id, progress)
        if packages:
            requirements = read_requirements(packages)
            layer = layer_name(name, requirements)
            found = local_id(client, layer) or _add_layer(client, layer, name, requirements, progress)
        return found


def _build(client: "docker.DockerClient", name: str, base_id: str, progress: Progress) -> str:
    with tempfile.TemporaryDirectory(prefix="selfheal-wheels-") as folder:
        progress("downloading the packages of the sandbox image")
        download_wheels(Path(folder))
        context = build_context(Path(folder))
    progress(f"building the sandbox image {name}")
    built = _built(client, name, base_id, context, progress, labels_of(name, base_id))
    remove_outdated(client, name, base_id)
    return built


def _add_layer(client: "docker.DockerClient", layer: str, name: str, requirements: str, progress: Progress) -> str:
    with tempfile.TemporaryDirectory(prefix="selfheal-wheels-") as folder:
        progress("downloading the extra packages")
        download_extra(client, name, requirements, Path(folder))
        context = layer_context(requirements, Path(folder))
    progress(f"adding them to the sandbox image, as {layer}")
    return _built(client, layer, name, context, progress)


def _built(
    client: "docker.DockerClient",
    name: str,
    base: str,
    context: bytes,
    progress: Progress,
    labels: dict[str, str] | None = None,
) -> str:
    """Build `name` from `context` on `base`, without network, and return its digest."""
    from docker.errors import APIError

    try:
        messages = client.api.build(
            fileobj=io.BytesIO(context),
            custom_context=True,
            encoding=None,
            tag=name,
            buildargs={"BASE_IMAGE": base},
            labels=labels,
            network_mode="none",
            rm=True,
            forcerm=True,
            decode=True,
        )
        _follow(messages, progress)
    except APIError as error:
        raise ImageUnavailable(f"The sandbox image could not be built: {error.explanation or error}") from error
    built = local_id(client, name)
    if built is None:
        raise ImageUnavailable(f"The image {name} vanished as soon as it was built.", "Try again.")
    return built


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
