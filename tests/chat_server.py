"""A local server that speaks OpenAI's chat protocol and answers for the whole team, as the real command asks it, and
for the assistant of the programs in `examples/`."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}


Answer = str | int | Mapping[str, Any]
"""Text, an HTTP status, or parts of a message, such as what `calling` makes."""


def calling(name: str, **args: Any) -> dict[str, Any]:
    """A message that calls a tool."""
    function = {"name": name, "arguments": json.dumps(args)}
    return {"content": None, "tool_calls": [{"id": f"call-{name}", "type": "function", "function": function}]}


class ChatServer(ThreadingHTTPServer):
    """Each role's replies in order, the last one again and again."""

    daemon_threads = True

    def __init__(self, replies: Mapping[str, Sequence[Answer]]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.meaning: Callable[[str], list[float]] | None = None
        """What the embedding model makes of a text; `None`: it is out of order."""
        self.replies = {role: list(texts) for role, texts in replies.items()}
        self.asked: Counter[str] = Counter()
        self.requests: list[dict[str, Any]] = []
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def environment(self, **more: str) -> Any:
        """What makes the command ask this server. The model is called by its role, so that it can be told who asks."""
        models = {f"{role}_MODEL": f"openai:{name}" for role, name in _MODELS.items()}
        levels = {f"{role}_THINKING_LEVEL": "default" for role in _MODELS}
        url = f"http://127.0.0.1:{self.server_port}/v1"
        return {"OPENAI_BASE_URL": url, "MODEL_ATTEMPTS": "1", **models, **levels, **more}

    def reply_to(self, asked: Mapping[str, Any]) -> Answer:
        """The reply to one request, as it came in."""
        return self.next_reply(asked["model"])

    def next_reply(self, role: str) -> Answer:
        """The next one of a role."""
        with self.lock:
            self.asked[role] += 1
            left = self.replies[role]
            return left.pop(0) if len(left) > 1 else left[0]


_MODELS = {
    "ARCHITECT": "architect",
    "READER": "reader",
    "CODER": "developer",
    "DEBUGGER": "debugger",
    "REVIEWER": "reviewer",
    "ASSISTANT": "assistant",
}


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(asked)
        reply = self._embedded(asked) if self.path.endswith("/embeddings") else self.server.reply_to(asked)
        status, body = (reply, {"error": {"message": "as told"}}) if isinstance(reply, int) else (200, _answer(reply))
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _embedded(self, asked: Mapping[str, Any]) -> Answer:
        self.server.asked[asked["model"]] += 1
        if self.server.meaning is None:
            return 503
        vectors = [self.server.meaning(text) for text in asked["input"]]
        data = [{"object": "embedding", "index": place, "embedding": vector} for place, vector in enumerate(vectors)]
        return {"data": data, "usage": {"prompt_tokens": 100, "total_tokens": 100}}

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


def _answer(reply: str | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(reply, Mapping) and "data" in reply:
        return {"object": "list", "model": "told", **reply}
    parts = {"content": reply} if isinstance(reply, str) else dict(reply)
    reason = parts.pop("finish_reason", "tool_calls" if "tool_calls" in parts else "stop")
    choices = [{"index": 0, "message": {"role": "assistant", **parts}, "finish_reason": reason}]
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "told", "choices": choices, "usage": USAGE}
