"""Which images of earlier versions are deleted when a new one is built."""

from typing import Any

import pytest
from docker.errors import APIError

from sandbox.outdated import DAYS_KEPT, labels_of, outdated, remove_outdated

NOW = 1_000_000_000.0
OLD = int(NOW) - (DAYS_KEPT + 1) * 24 * 3600
BASE, OTHER_BASE = "sha256:base", "sha256:other"
CURRENT, EARLIER = "selfheal-sandbox:2", "selfheal-sandbox:1"


def image(identity: str, name: str, base: str = BASE, created: int = OLD) -> dict[str, Any]:
    return {"Id": identity, "Labels": labels_of(name, base), "Created": created}


def test_an_earlier_version_goes_and_its_layers_go_first() -> None:
    layer = image("layer", EARLIER, created=OLD + 1)

    assert outdated([image("earlier", EARLIER), layer], CURRENT, BASE, NOW) == ["layer", "earlier"]


@pytest.mark.parametrize(
    "kept",
    [
        image("current", CURRENT),
        image("of a base that others chose", EARLIER, OTHER_BASE),
        image("of last week", EARLIER, created=int(NOW) - 7 * 24 * 3600),
        {"Id": "of someone else", "Labels": None, "Created": OLD},
        {"Id": "without our label", "Labels": {"a": "b"}, "Created": OLD},
    ],
    ids=lambda kept: kept["Id"],
)
def test_what_may_be_needed_stays(kept: dict[str, Any]) -> None:
    assert outdated([kept], CURRENT, BASE, NOW) == []


class Engine:
    """Refuses to delete what is in use."""

    def __init__(self, *images: dict[str, Any], in_use: str) -> None:
        self.listed = list(images)
        self.in_use = in_use
        self.removed: list[str] = []
        self.api = self

    def images(self, filters: dict[str, str]) -> list[dict[str, Any]]:
        name, _, value = filters["label"].partition("=")
        return [image for image in self.listed if image["Labels"].get(name) == value]

    def remove_image(self, identity: str) -> None:
        if identity == self.in_use:
            raise APIError("conflict: a container uses it")
        self.removed.append(identity)


def test_one_that_a_container_uses_stays_and_the_others_go() -> None:
    engine: Any = Engine(image("a", EARLIER), image("b", EARLIER), image("c", EARLIER, OTHER_BASE), in_use="a")
    remove_outdated(engine, CURRENT, BASE)

    assert engine.removed == ["b"]
