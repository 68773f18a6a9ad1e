"""The real OpenAI client against a server that speaks OpenAI's wire format."""

from typing import Any

import pytest
from langgraph.graph import StateGraph

from src.errors import ConfigurationError
from src.models.faults import (
    AuthenticationFault,
    ContextFault,
    GarbageFault,
    ModelFault,
    NotFoundFault,
    PaymentFault,
    PermissionFault,
    RateLimitFault,
    RequestFault,
    ServerFault,
    UnreachableFault,
)

MODEL = "openai:gpt-5.1"


def fault(message: str, code: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "some_error", "param": None, "code": code}}


def test_a_reply_carries_text_finish_model_usage_and_cost(model_for: Any, answer: Any, openai_reply: Any) -> None:
    answer(body=openai_reply())
    reply = model_for(MODEL).ask()
    assert (reply.text, reply.finish, reply.model) == ("Hello.", "complete", "gpt-5.1-2025-11-13")
    usage = reply.usage
    assert (usage.input_tokens, usage.output_tokens) == (1000, 500)
    assert (usage.reasoning_tokens, usage.cached_tokens) == (300, 400)
    assert usage.cost == pytest.approx((600 * 1.25 + 400 * 0.125 + 500 * 10) / 1e6)


def test_a_reasoning_model_is_sent_its_level_and_no_temperature(
    model_for: Any, answer: Any, openai_reply: Any, provider: Any
) -> None:
    answer(body=openai_reply())
    model_for(MODEL, "high", 0.2).ask()
    [request] = provider.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer sk-this-is-a-key-0123456789"
    assert "sk-this" not in request.raw + request.path
    assert request.body["messages"] == [
        {"role": "system", "content": "You are a developer."},
        {"role": "user", "content": "Write add."},
    ]
    assert request.body["reasoning_effort"] == "high"
    assert request.body["max_completion_tokens"] == 1234
    # OpenAI refuses a request that has both names for the cap.
    assert request.body.keys().isdisjoint({"temperature", "max_tokens"})
    assert not request.body.get("stream")


@pytest.mark.parametrize("model", ["gpt-4o", "gpt-4.1-mini", "ft:gpt-4o:acme::1"])
def test_another_model_is_sent_its_temperature_and_no_level(
    model_for: Any, answer: Any, openai_reply: Any, provider: Any, model: str
) -> None:
    answer(body=openai_reply())
    model_for(f"openai:{model}", None, 0.2).ask()
    body = provider.requests[0].body
    assert body["model"] == model
    assert body["temperature"] == 0.2
    assert "reasoning_effort" not in body


def test_a_model_that_need_not_think_takes_a_temperature_then(
    model_for: Any, answer: Any, openai_reply: Any, provider: Any
) -> None:
    answer(body=openai_reply())
    model_for(MODEL, "none", 0.2).ask()
    body = provider.requests[0].body
    assert body["reasoning_effort"] == "none"
    assert body["temperature"] == 0.2


@pytest.mark.parametrize(
    ("model", "level", "allowed"),
    [
        ("gpt-4o", "high", "takes no thinking level"),
        ("gpt-5", "none", "takes one of: minimal, low, medium, high"),
        ("gpt-5.1", "minimal", "takes one of: none, low, medium, high"),
        ("gpt-3.5-turbo-0125", "low", "takes no thinking level"),
    ],
)
def test_a_level_that_the_model_does_not_know_is_refused_before_any_call(
    model_for: Any, provider: Any, model: str, level: str, allowed: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        model_for(f"openai:{model}", level)
    assert caught.value.message == f"CODER_THINKING_LEVEL={level}: openai:{model} {allowed}."
    assert provider.requests == []


def response(block: dict[str, Any], cut_by: str | None = None) -> dict[str, Any]:
    """The body of a reply as OpenAI's newer endpoint sends it."""
    status = "incomplete" if cut_by else "completed"
    message = {"type": "message", "id": "m1", "role": "assistant", "status": status, "content": [block]}
    usage = {
        "input_tokens": 10,
        "output_tokens": 20,
        "total_tokens": 30,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 15},
    }
    return {
        "id": "resp1",
        "object": "response",
        "created_at": 1,
        "model": "gpt-5-pro",
        "status": status,
        "incomplete_details": {"reason": cut_by} if cut_by else None,
        "output": [{"type": "reasoning", "id": "r1", "summary": []}, message],
        "usage": usage,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


@pytest.mark.parametrize(
    ("block", "finish"),
    [
        ({"type": "output_text", "text": "Hello.", "annotations": []}, "complete"),
        ({"type": "refusal", "refusal": "I will not."}, "blocked"),
    ],
)
def test_the_newer_endpoint_tells_how_a_reply_ended(
    model_for: Any, answer: Any, block: dict[str, Any], finish: str
) -> None:
    answer(body=response(block))
    assert model_for("openai:gpt-5-pro").ask().finish == finish


def test_a_model_of_the_newer_endpoint_is_asked_there(model_for: Any, answer: Any, provider: Any) -> None:
    answer(body=response({"type": "output_text", "text": "def f(", "annotations": []}, "max_output_tokens"))
    reply = model_for("openai:gpt-5-pro", "high").ask()
    [request] = provider.requests
    assert request.path == "/v1/responses"
    assert request.body["reasoning"] == {"effort": "high"}
    assert request.body["max_output_tokens"] == 1234
    assert (reply.text, reply.finish, reply.usage.output_tokens) == ("def f(", "truncated", 20)


@pytest.mark.parametrize(
    ("word", "finish"),
    [("length", "truncated"), ("content_filter", "blocked"), ("error", "truncated"), (None, "unknown")],
)
def test_the_finish_reason_is_ours(
    model_for: Any, answer: Any, openai_reply: Any, word: str | None, finish: str
) -> None:
    answer(body=openai_reply("def f(", finish=word))
    assert model_for(MODEL).ask().finish == finish


def test_a_refusal_by_the_model_is_a_blocked_reply(model_for: Any, answer: Any, openai_reply: Any) -> None:
    answer(body=openai_reply(None, message={"refusal": "I will not."}))
    reply = model_for(MODEL).ask()
    assert (reply.text, reply.finish) == ("", "blocked")


def test_usage_that_is_missing_is_unknown_and_so_is_its_cost(model_for: Any, answer: Any, openai_reply: Any) -> None:
    body = openai_reply()
    del body["usage"]
    answer(body=body)
    usage = model_for(MODEL).ask().usage
    assert (usage.input_tokens, usage.output_tokens, usage.cost) == (None, None, None)


def test_a_model_without_a_price_costs_nobody_knows_what(model_for: Any, answer: Any, openai_reply: Any) -> None:
    answer(body=openai_reply(model="gpt-99"))
    usage = model_for(MODEL).ask().usage
    assert usage.input_tokens == 1000
    assert usage.cost is None


@pytest.mark.parametrize(
    ("status", "code", "message", "kind"),
    [
        (400, None, "Unsupported value: 'reasoning_effort'.", RequestFault),
        (400, "context_length_exceeded", "Your messages are too long.", ContextFault),
        (400, None, "This model's maximum context length is 8192 tokens.", ContextFault),
        (401, "invalid_api_key", "Incorrect API key provided.", AuthenticationFault),
        (402, None, "Insufficient credits.", PaymentFault),
        (403, None, "Country not supported.", PermissionFault),
        (404, "model_not_found", "The model `gpt-0` does not exist.", NotFoundFault),
        (413, None, "Request too large.", ContextFault),
        (422, None, "Unprocessable.", RequestFault),
        (429, "insufficient_quota", "You exceeded your current quota.", PaymentFault),
    ],
)
def test_a_refusal_is_told_once_with_what_to_do(
    model_for: Any, answer: Any, provider: Any, status: int, code: str | None, message: str, kind: type[ModelFault]
) -> None:
    answer(status=status, body=fault(message, code))
    asked = model_for(MODEL)
    with pytest.raises(kind) as caught:
        asked.ask()
    assert caught.value.message == f"OpenAI (gpt-5.1, developer): {message}"
    assert caught.value.remedy == kind.advice
    assert caught.value.__cause__ is not None
    assert len(provider.requests) == 1
    assert asked.waits == []


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "7"}, 7),
        ({"Retry-After": "Mon, 30 Nov 2026 12:00:20 GMT"}, 20),
        ({"Retry-After": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.1),
    ],
)
def test_the_wait_that_a_provider_asks_for_is_honoured(
    model_for: Any, answer: Any, openai_reply: Any, provider: Any, headers: dict[str, str], wait: float
) -> None:
    provider.date = "Mon, 30 Nov 2026 12:00:00 GMT"
    answer(status=429, body=fault("Slow down."), headers=headers)
    answer(body=openai_reply())
    asked = model_for(MODEL)
    assert asked.ask().text == "Hello."
    assert asked.waits == [wait]


@pytest.mark.parametrize("value", ["soon", "-5", "nan", "inf"])
def test_a_wait_that_makes_no_sense_is_ours_to_choose(
    model_for: Any, answer: Any, openai_reply: Any, value: str
) -> None:
    answer(status=429, body=fault("Slow down."), headers={"Retry-After": value})
    answer(body=openai_reply())
    asked = model_for(MODEL)
    assert asked.ask().text == "Hello."
    [wait] = asked.waits
    assert 1 <= wait <= 2


def test_a_wait_beyond_the_bound_ends_the_call_at_once(model_for: Any, answer: Any) -> None:
    answer(status=429, body=fault("Come back tomorrow."), headers={"Retry-After": "86400"})
    asked = model_for(MODEL)
    with pytest.raises(RateLimitFault, match="Come back tomorrow"):
        asked.ask()
    assert asked.waits == []


def test_trouble_that_passes_is_survived_and_each_wait_is_told(model_for: Any, answer: Any, openai_reply: Any) -> None:
    told: list[tuple[str, str]] = []
    answer(status=500, body=fault("Oops."))
    answer(body=openai_reply())
    asked = model_for(MODEL, notice=lambda role, line: told.append((role, line)))
    assert asked.ask().text == "Hello."
    [(role, line)] = told
    assert role == "developer"
    assert line.startswith("OpenAI (gpt-5.1, developer): Oops. Attempt 2 of 4 in ")


def test_trouble_that_stays_ends_after_the_attempts_that_are_set(model_for: Any, answer: Any, provider: Any) -> None:
    answer(status=502, body=b"<html>Bad gateway</html>", headers={"Content-Type": "text/html"})
    with pytest.raises(ServerFault, match="status 502 and a web page in place of an explanation"):
        model_for(MODEL, model_attempts=3).ask()
    assert len(provider.requests) == 3


def test_silence_is_a_fault(model_for: Any, answer: Any, provider: Any) -> None:
    answer(silent=True)
    with pytest.raises(UnreachableFault):
        model_for(MODEL, model_timeout=0.2, model_attempts=2).ask()
    assert len(provider.requests) == 2


def test_a_refused_connection_is_a_fault(model_for: Any, provider: Any) -> None:
    asked = model_for(MODEL, model_attempts=2)
    provider.socket.close()
    with pytest.raises(UnreachableFault, match="no answer"):
        asked.ask()
    assert len(asked.waits) == 1


def test_a_connection_cut_in_the_middle_is_tried_again(model_for: Any, answer: Any, openai_reply: Any) -> None:
    answer(body=b'{"id": "c1", "choices": [', cut=True)
    answer(body=openai_reply())
    assert model_for(MODEL).ask().text == "Hello."


@pytest.mark.parametrize(
    "body",
    [
        b"{not json",
        b"<html>Sign in</html>",
        b"",
        b"[1, 2]",
        b"null",
        b'{"id": "x", "choices": null}',
        b'{"choices": []}',
    ],
)
def test_garbage_is_a_fault_that_is_not_paid_for_again(model_for: Any, answer: Any, provider: Any, body: bytes) -> None:
    answer(body=body)
    with pytest.raises(GarbageFault) as caught:
        model_for(MODEL).ask()
    assert "cannot be read" in caught.value.message
    assert len(provider.requests) == 1


def test_a_page_in_place_of_an_answer_is_a_fault(model_for: Any, answer: Any) -> None:
    answer(body=b"<html>Sign in</html>", headers={"Content-Type": "text/html"})
    with pytest.raises(GarbageFault):
        model_for(MODEL).ask()


def test_a_huge_reply_is_cut_and_counts_as_truncated(
    model_for: Any, answer: Any, openai_reply: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("src.models.answers.MAX_CHARACTERS", 1000)
    answer(body=openai_reply("x" * 5000))
    reply = model_for(MODEL).ask()
    assert (len(reply.text), reply.finish) == (1000, "truncated")


def test_text_with_lone_surrogates_can_be_sent_and_received(
    model_for: Any, answer: Any, openai_reply: Any, provider: Any
) -> None:
    answer(body=openai_reply("half \ud800 pair"))
    reply = model_for(MODEL).model.ask([("human", "broken \udcff text")])
    assert reply.text == "half ? pair"
    assert provider.requests[0].body["messages"] == [{"role": "user", "content": "broken ? text"}]


def test_a_graph_that_is_streamed_does_not_turn_the_call_into_a_stream(
    model_for: Any, answer: Any, openai_reply: Any, provider: Any
) -> None:
    answer(body=openai_reply())
    asked = model_for(MODEL)
    graph: Any = StateGraph(dict)
    graph.add_node("ask", lambda _state: {"text": asked.ask().text})
    graph.set_entry_point("ask")
    list(graph.compile().stream({}, stream_mode="messages"))
    # A stream would not tell what the call cost at OpenRouter.
    assert not provider.requests[0].body.get("stream")


def test_no_key_is_in_a_message_even_when_the_server_repeats_it(model_for: Any, answer: Any) -> None:
    answer(status=401, body=fault("Incorrect API key provided: sk-this-is-a-key-0123456789."))
    with pytest.raises(AuthenticationFault) as caught:
        model_for(MODEL).ask()
    assert "sk-this" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_an_interrupt_passes_through_at_once(model_for: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = model_for(MODEL)

    def interrupted(_messages: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(asked.model, "_chat", type("Chat", (), {"invoke": staticmethod(interrupted)}))
    with pytest.raises(KeyboardInterrupt):
        asked.ask()
    assert asked.waits == []
