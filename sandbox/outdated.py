"""Images of earlier versions, which nothing would ever use or delete: removed when a new one is built."""

import time
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import docker

BASE_LABEL = "selfheal.base"
"""Digest of the base that an image was built on."""
NAME_LABEL = "selfheal.image"
"""Name of the sandbox image; a layer of extra packages inherits it from the image that it was put on."""
DAYS_KEPT = 14
"""Another checkout may need its own version again at any moment: only what has been there for long is deleted."""


def labels_of(name: str, base_id: str) -> dict[str, str]:
    """What the image `name` carries, and every layer on it."""
    return {BASE_LABEL: base_id, NAME_LABEL: name}


def outdated(images: Iterable[dict[str, Any]], name: str, base_id: str, now: float) -> list[str]:
    """The ids of those among `images`, as the engine lists them, in whose place `name` has come; the newest first.

    Built on the same base: a project that has chosen another one has images of its own, whatever their age.
    """
    before = now - DAYS_KEPT * 24 * 3600
    old = [
        image
        for image in images
        if (image.get("Labels") or {}).get(BASE_LABEL) == base_id
        and image["Labels"].get(NAME_LABEL) != name
        and image["Created"] < before
    ]
    return [image["Id"] for image in sorted(old, key=lambda image: image["Created"], reverse=True)]


def remove_outdated(client: "docker.DockerClient", name: str, base_id: str) -> None:
    """Delete them, layers before what they lie on, but for those that a container or a layer of somebody's needs."""
    from docker.errors import APIError

    listed = client.api.images(filters={"label": f"{BASE_LABEL}={base_id}"})
    for identity in outdated(listed, name, base_id, time.time()):
        with suppress(APIError):  # in use, or just deleted by someone else
            client.api.remove_image(identity)
