"""The image: built when needed, named after all that goes in, never replaced by a silent other one."""

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from sandbox import ImageUnavailable, Sandbox, base_image, context
from sandbox.base_image import DEBIAN_BASE, DEFAULT_BASE, obtain_base
from sandbox.image import ensure_image, present_image
from sandbox.outdated import NAME_LABEL
from sandbox.prereqs import Engine


@pytest.fixture
def guest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A copy of the guest's folder that a test may change."""
    for name in context.GUEST_FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((context.GUEST / name).read_bytes())
    monkeypatch.setattr(context, "GUEST", tmp_path)
    return tmp_path


@pytest.mark.parametrize("changed", context.GUEST_FILES)
def test_a_change_of_any_guest_file_gives_the_image_another_name(guest: Path, changed: str) -> None:
    before = context.image_name("sha256:base")
    (guest / changed).write_text((guest / changed).read_text() + "\n")

    assert context.image_name("sha256:base") != before


def test_another_base_or_dockerfile_gives_the_image_another_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = context.image_name("sha256:base")
    assert context.image_name("sha256:other") != before

    other = tmp_path / "Dockerfile"
    other.write_text(context.DOCKERFILE.read_text() + "\n")
    monkeypatch.setattr(context, "DOCKERFILE", other)
    assert context.image_name("sha256:base") != before


def test_every_file_of_the_guest_goes_into_the_image() -> None:
    there = {str(path.relative_to(context.GUEST)) for path in context.GUEST.rglob("*.*") if path.suffix != ".pyc"}

    assert there == set(context.GUEST_FILES)


def test_every_package_is_pinned_with_its_hash() -> None:
    lines = (context.GUEST / "requirements.txt").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]

    assert {pin.partition("==")[0] for pin in pins} >= {"pytest", "hypothesis", "pluggy"}
    assert all("==" in pin and " --hash=sha256:" in pin for pin in pins)


def test_packages_that_cannot_be_downloaded_are_told_with_what_to_do(guest: Path, tmp_path: Path) -> None:
    (guest / "requirements.txt").write_text(f"./nothing-here.whl --hash=sha256:{'0' * 64}\n")

    with pytest.raises(ImageUnavailable) as error:
        context.download_wheels(tmp_path)
    assert "pip download" in error.value.remedy


class Images:
    """An engine that has the images it is told of and can pull nothing."""

    def __init__(self, **present: str) -> None:
        self.present = present
        self.pulled: list[str] = []
        self.images = self

    def get(self, name: str) -> Any:
        from docker.errors import ImageNotFound

        if name not in self.present:
            raise ImageNotFound(name)
        return type("Image", (), {"id": self.present[name]})

    def pull(self, name: str) -> Any:
        from docker.errors import APIError

        self.pulled.append(name)
        raise APIError("no registry")


def test_a_base_that_is_there_is_neither_pulled_nor_made() -> None:
    engine: Any = Images(**{DEFAULT_BASE: "sha256:default", DEBIAN_BASE: "sha256:debian"})

    assert obtain_base(engine, DEFAULT_BASE, print) == "sha256:default"
    assert engine.pulled == []


def test_our_own_base_stands_in_for_the_default_one_before_anything_is_pulled() -> None:
    engine: Any = Images(**{DEBIAN_BASE: "sha256:debian"})

    assert obtain_base(engine, DEFAULT_BASE, print) == "sha256:debian"
    assert engine.pulled == []


def test_our_own_base_never_stands_in_for_one_that_was_chosen() -> None:
    engine: Any = Images(**{DEBIAN_BASE: "sha256:debian"})

    with pytest.raises(ImageUnavailable, match="python:9"):
        obtain_base(engine, "python:9", print)
    assert engine.pulled == ["python:9"]


def test_without_a_registry_the_base_is_made_from_debian_and_the_user_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    engine: Any = Images()
    engine.api = engine
    commands: list[list[str]] = []

    def imported(archive: str, repository: str, tag: str) -> None:
        assert archive.endswith("base.tar")
        engine.present[f"{repository}:{tag}"] = "sha256:made"

    engine.import_image_from_file = imported
    monkeypatch.setattr(base_image, "_run", commands.append)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    told: list[str] = []

    assert obtain_base(engine, DEFAULT_BASE, told.append) == "sha256:made"
    assert [command[0] for command in commands] == ["/usr/bin/mmdebstrap"]
    assert any("Debian" in line for line in told)


def test_where_a_base_can_neither_be_pulled_nor_made_the_steps_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    engine: Any = Images()
    monkeypatch.setattr("shutil.which", lambda _: None)

    with pytest.raises(ImageUnavailable) as error:
        obtain_base(engine, DEFAULT_BASE, print)
    assert "mmdebstrap --variant=apt" in error.value.remedy
    assert "SANDBOX_BASE_IMAGE" in error.value.remedy


@pytest.mark.docker
def test_an_image_that_is_up_to_date_is_found_without_a_word(engine: Engine, container: Sandbox) -> None:
    assert container.name == "docker"
    told: list[str] = []
    digest = ensure_image(engine.client, DEFAULT_BASE, told.append)

    assert present_image(engine.client) == digest
    assert digest.startswith("sha256:")
    assert told == []


@pytest.mark.docker
@pytest.mark.usefixtures("container")
def test_a_changed_guest_is_built_anew_once_by_two_that_want_it_at_once(engine: Engine, guest: Path) -> None:
    worker = guest / "worker.py"
    worker.write_text(worker.read_text() + f"# {threading.get_native_id()} {guest}\n")
    assert present_image(engine.client) is None
    told: list[str] = []
    digests: list[str] = []

    def build() -> None:
        digests.append(ensure_image(engine.client, DEFAULT_BASE, told.append))

    threads = [threading.Thread(target=build) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    try:
        assert len(digests) == 2
        assert len(set(digests)) == 1
        assert sum("building the sandbox image" in line for line in told) == 1
        assert present_image(engine.client) == digests[0]
        assert engine.client.images.get(digests[0]).labels[NAME_LABEL] in engine.client.images.get(digests[0]).tags
    finally:
        engine.client.images.remove(digests[0], force=True)


def test_the_docker_client_is_not_loaded_before_it_is_needed() -> None:
    code = "import sys, sandbox, sandbox.docker; sys.exit('docker.client' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
