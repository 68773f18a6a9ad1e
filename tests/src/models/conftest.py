"""A provider's outer boundary: an HTTP server on this machine that answers what a test tells it to."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from src.config import Settings
from src.context import RoleModel
from src.models.build import build_model
from src.models.sending import Notice
from src.models.tiers import describe_tiers
from src.setting_types import RoleSettings
from src.usage import load_prices

KEY = "sk-this-is-a-key-0123456789"


@dataclass
class Answer:
    """What the server does with one request."""

    body: Any = b""
    """Bytes as they are; anything else as JSON, or where a stream is asked for as one event or a list of events."""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    silent: bool = False
    """Say nothing until the test is over."""
    cut: bool = False
    """Close the connection in the middle of the body."""


@dataclass
class Request:
    """What the server got."""

    path: str
    headers: dict[str, str]
    raw: str

    @property
    def body(self) -> Any:
        return json.loads(self.raw)


class FakeProvider(ThreadingHTTPServer):
    """Answers in order; the last answer is repeated."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: list[Answer] = []
        self.requests: list[Request] = []
        self.date: str | None = None
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def answer(self, *answers: Answer) -> None:
        self.answers = list(answers)

    def next_answer(self) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class _Handler(BaseHTTPRequestHandler):
    server: FakeProvider

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"])).decode()
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.requests.append(Request(self.path, headers, raw))
        answer = self.server.next_answer()
        if answer.silent:
            self.server.over.wait(20)
            self.close_connection = True
            return
        body = answer.body if isinstance(answer.body, bytes) else self._encoded(answer)
        self.send_response(answer.status)
        for name, value in {"Content-Type": "application/json", **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) + (100 if answer.cut else 0)))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = self.close_connection or answer.cut

    def _encoded(self, answer: Answer) -> bytes:
        if "alt=sse" in self.path and answer.status == 200:
            events = answer.body if isinstance(answer.body, list) else [answer.body]
            return b"".join(f"data: {json.dumps(event)}\r\n\r\n".encode() for event in events)
        return json.dumps(answer.body).encode()

    def date_time_string(self, timestamp: float | None = None) -> str:
        return self.server.date or super().date_time_string(timestamp)

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with FakeProvider() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.over.set()
        server.shutdown()
        thread.join()


KEYS = ("GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENROUTER_API_KEY", "OPENAI_API_KEY")
PREFIXES = (
    "ARCHITECT_",
    "CODER_",
    "DEBUGGER_",
    "REVIEWER_",
    "READER_",
    "ASSISTANT_",
    "EMBEDDING_",
    "MODEL_",
    "GEMINI_",
    "OPENROUTER_",
    "OPENAI_",
    "PRICES_",
)


@pytest.fixture
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key and no tier from the shell that runs the tests."""
    for name in list(os.environ):
        if name in KEYS or name.startswith(PREFIXES):
            monkeypatch.delenv(name)


SettingsFactory = Callable[..., Settings]


@pytest.fixture
def settings_for(provider: FakeProvider, clean_environment: None) -> SettingsFactory:  # noqa: ARG001
    """Settings whose developer is served by the server, with every key set."""

    def make(model: str, level: str | None = None, temperature: float | None = None, **more: Any) -> Settings:
        given: dict[str, Any] = {
            "GEMINI_API_KEY": KEY,
            "openai_api_key": KEY,
            "openrouter_api_key": KEY,
            "gemini_base_url": provider.url,
            "openrouter_base_url": f"{provider.url}/api/v1",
            "coder": RoleSettings.model_validate(
                {"model": model, "thinking_level": level, "temperature": temperature, "max_tokens": 1234}
            ),
            "model_timeout": 10,
        }
        return Settings(_env_file=None, **(given | more))  # type: ignore[call-arg]  # a settings source, not a field

    return make


@dataclass
class Asked:
    """A model, and the seconds that it waited between attempts without waiting."""

    model: RoleModel
    waits: list[float]

    def ask(self) -> Any:
        return self.model.ask([("system", "You are a developer."), ("human", "Write add.")])


ModelFactory = Callable[..., Asked]


@pytest.fixture
def model_for(provider: FakeProvider, settings_for: SettingsFactory, monkeypatch: pytest.MonkeyPatch) -> ModelFactory:
    """The developer's model, connected to the server."""

    def make(model: str, *args: Any, notice: Notice | None = None, **more: Any) -> Asked:
        monkeypatch.setattr("src.models.openai.ADDRESS", f"{provider.url}/v1")
        settings = settings_for(model, *args, **more)
        waits: list[float] = []
        tier = describe_tiers(settings)["developer"]
        return Asked(build_model(tier, settings, load_prices(), waits.append, notice), waits)

    return make


@pytest.fixture
def answer(provider: FakeProvider) -> Callable[..., None]:
    """Add one answer to what the server says; the last is repeated."""

    def add(**what: Any) -> None:
        provider.answers.append(Answer(**what))

    return add


@pytest.fixture
def gemini_reply() -> Callable[..., dict[str, Any]]:
    """The body of a reply as Gemini sends it."""

    def make(*parts: dict[str, Any], finish: str | None = "STOP", model: str = "gemini-2.5-flash") -> dict[str, Any]:
        candidate = {
            "content": {"role": "model", "parts": list(parts or ({"text": "Hello."},))},
            "finishReason": finish,
        }
        usage = {"promptTokenCount": 1000, "candidatesTokenCount": 200, "thoughtsTokenCount": 300}
        counts = usage | {"totalTokenCount": 1500, "cachedContentTokenCount": 400}
        return {"candidates": [candidate], "usageMetadata": counts, "modelVersion": model}

    return make


@pytest.fixture
def openai_reply() -> Callable[..., dict[str, Any]]:
    """The body of a reply as OpenAI's chat completions send it."""

    def make(text: str | None = "Hello.", finish: str | None = "stop", **more: Any) -> dict[str, Any]:
        message = {"role": "assistant", "content": text, **more.pop("message", {})}
        usage = {
            "prompt_tokens": 1000,
            "completion_tokens": 500,
            "total_tokens": 1500,
            "prompt_tokens_details": {"cached_tokens": 400},
            "completion_tokens_details": {"reasoning_tokens": 300},
        }
        choice = {"index": 0, "finish_reason": finish, "message": message}
        body = {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": "gpt-5.1-2025-11-13",
            "choices": [choice],
        }
        return body | {"usage": usage} | more

    return make
