"""What a run is asked for: the words of a user, or a transcript that ships with the project."""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from sandbox import is_module_name
from src.config import PROJECT_ROOT
from src.errors import ConfigurationError
from src.models import load_transcript

MAX_REQUEST_BYTES = 256 * 1024
"""A longer request is a mistake: somebody piped the wrong file."""

EXAMPLES = PROJECT_ROOT / "transcripts"
DEFAULT_EXAMPLE = "rate_limiter"


@dataclass(frozen=True)
class Source:
    """The options that say what to run."""

    prompt: str | None = None
    """The request; `-`: it comes over standard input."""
    prompt_file: Path | None = None
    """File that holds the request."""
    example: str | None = None
    """Name of a transcript that ships."""
    replay: Path | None = None
    """Transcript to take the replies from."""
    module_name: str | None = None
    """Import name of the module; without one the transcript decides, or it is `solution`."""


@dataclass(frozen=True)
class Assignment:
    """What to run."""

    request: str
    """What is asked for, word for word."""
    module_name: str
    """Import name of the module to write."""
    transcript: Path | None
    """Where replies come from in place of models."""
    developers: int | None = None
    """How many developers write at once in the transcript; `None`: there is none, and the settings decide."""


def read_assignment(source: Source, stdin: BinaryIO) -> Assignment:
    """Check the options and read what they name. Raises `ConfigurationError`."""
    if source.module_name is not None and not is_module_name(source.module_name):
        raise ConfigurationError(
            f"--module-name: {source.module_name!r} cannot be the name of a module.",
            "Use an ASCII identifier such as rate_limiter: no keyword, no module of Python, no leading test_ or _.",
        )
    request = read_request(source.prompt, source.prompt_file, stdin)
    path = _transcript(source, request)
    if path is None:
        return Assignment(request or "", source.module_name or "solution", None)
    header = load_transcript(path).header
    asked = request or header.request
    if not asked.strip():
        raise ConfigurationError(f"{path} does not say what was asked for.", "Add --prompt with the request.")
    return Assignment(asked, source.module_name or header.module_name, path.absolute(), header.developers)


def read_request(prompt: str | None, prompt_file: Path | None, stdin: BinaryIO) -> str | None:
    """The request; `None` when none was given. Raises `ConfigurationError`."""
    if prompt is not None and prompt_file is not None:
        raise ConfigurationError("--prompt and --prompt-file were both given.", "Give one of them.")
    if prompt == "-":
        return _decoded(stdin.read(MAX_REQUEST_BYTES + 1), "Standard input")
    if prompt is not None:
        return _decoded(prompt.encode("utf-8", "surrogateescape"), "--prompt")
    return None if prompt_file is None else _decoded(_read(prompt_file), str(prompt_file))


def example_names() -> list[str]:
    """Examples that ship."""
    return sorted(path.stem for path in EXAMPLES.glob("*.jsonl"))


def _transcript(source: Source, request: str | None) -> Path | None:
    if source.replay and source.example:
        raise ConfigurationError("--example and --replay were both given.", "Give one of them.")
    if source.example and request is not None:
        raise ConfigurationError("--example brings its own request.", "Leave out --prompt and --prompt-file.")
    if source.replay:
        return source.replay
    if request is not None:
        return None
    if source.module_name is not None:
        raise ConfigurationError("An example brings its own --module-name.", "Add --prompt, or leave it out.")
    return _example(source.example or DEFAULT_EXAMPLE)


def _example(name: str) -> Path:
    names = example_names()
    if name not in names:
        there = f"Choose one of: {', '.join(names)}." if names else f"There are none in {EXAMPLES}."
        raise ConfigurationError(f"There is no example {name!r}.", there)
    return EXAMPLES / f"{name}.jsonl"


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_REQUEST_BYTES + 1)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror or error}.") from None


def _decoded(content: bytes, where: str) -> str:
    if len(content) > MAX_REQUEST_BYTES:
        raise ConfigurationError(f"{where}: the request is longer than {MAX_REQUEST_BYTES // 1024} KiB.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigurationError(f"{where} is not text in UTF-8.", "Save the request as UTF-8 text.") from None
    if "\0" in text:
        raise ConfigurationError(f"{where} is not text: it holds NUL bytes.")
    if not text.strip():
        raise ConfigurationError(f"{where}: the request is empty.", "Say what the module must do.")
    return text.strip()
