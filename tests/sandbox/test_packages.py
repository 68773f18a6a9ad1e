"""Extra packages for generated code: pinned, downloaded on the host, one more layer on the image."""

from pathlib import Path

import pytest

from sandbox import ImageUnavailable, Job, Sandbox, open_sandbox
from sandbox.packages import layer_name, read_requirements

IMAGE = "selfheal-sandbox:0123456789abcdef"
TESTS = "from solution import roman\n\ndef test_one():\n    assert roman(4) == 'IV'\n"
CODE = "import roman_numerals\n\ndef roman(n):\n    return str(roman_numerals.RomanNumeral(n))\n"


def requirements(folder: Path, text: str) -> Path:
    path = folder / "extra.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_pinned_requirements_are_taken_with_comments_and_markers(tmp_path: Path) -> None:
    text = "# numbers\nnumpy == 2.1.3\nhttpx[http2]==0.28.1  # wire\ntzdata==2025.2; sys_platform == 'linux'\n\n"
    assert read_requirements(requirements(tmp_path, text)) == text


@pytest.mark.parametrize(
    "line",
    [
        "numpy",
        "numpy>=2",
        "numpy==2.*",
        "-r other.txt",
        "--index-url x",
        "./local.whl",
        "git+https://x/y",
        "a @ file:b",
    ],
)
def test_anything_else_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    with pytest.raises(ImageUnavailable, match="line 2"):
        read_requirements(requirements(tmp_path, f"attrs==25.1.0\n{line}\n"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ImageUnavailable, match=r"nothing\.txt"):
        read_requirements(tmp_path / "nothing.txt")


def test_the_name_of_the_layer_changes_with_the_image_and_the_requirements() -> None:
    names = {layer_name(IMAGE, "a==1"), layer_name(IMAGE, "a==2"), layer_name(f"{IMAGE}x", "a==1")}
    assert len(names) == 3
    assert all(name.startswith("selfheal-sandbox:extra-") for name in names)


@pytest.mark.docker
def test_generated_code_can_import_an_extra_package(container: Sandbox, tmp_path: Path) -> None:
    assert container.run(Job(code=CODE, tests=TESTS)).status == "collection_error"
    pins = requirements(tmp_path, "roman-numerals==4.1.0\n")
    with open_sandbox("docker", packages=pins) as extended:
        report = extended.run(Job(code=CODE, tests=TESTS))
    assert report.status == "passed", report.error_summary


@pytest.mark.docker
@pytest.mark.usefixtures("container")
def test_a_package_that_does_not_exist_is_a_fault_of_ours_with_its_name(tmp_path: Path) -> None:
    pins = requirements(tmp_path, "selfheal-has-no-such-package==1.0\n")
    with open_sandbox("docker", packages=pins) as extended, pytest.raises(ImageUnavailable, match="no-such-package"):
        extended.run(Job(code=CODE, tests=TESTS))
