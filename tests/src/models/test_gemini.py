"""The real Gemini client against a server that speaks Gemini's wire format."""

from typing import Any

import pytest

from src.errors import ConfigurationError
from src.models.faults import (
    AuthenticationFault,
    ContextFault,
    GarbageFault,
    ModelFault,
    NotFoundFault,
    PermissionFault,
    RateLimitFault,
    RequestFault,
    ServerFault,
    UnreachableFault,
)

PRO = "gemini:gemini-3.1-pro-preview"


def fault(status: int, message: str, word: str = "TROUBLE", **more: Any) -> dict[str, Any]:
    return {"error": {"code": status, "message": message, "status": word, **more}}


def test_a_reply_carries_text_finish_model_usage_and_cost(model_for: Any, answer: Any, gemini_reply: Any) -> None:
    answer(body=gemini_reply({"text": "Hello."}))
    reply = model_for(PRO).ask()
    assert (reply.text, reply.finish, reply.model) == ("Hello.", "complete", "gemini-2.5-flash")
    usage = reply.usage
    assert (usage.input_tokens, usage.output_tokens) == (1000, 500)
    assert (usage.reasoning_tokens, usage.cached_tokens) == (300, 400)
    # By the price of the model that answered: 600 new, 400 cached and 500 written tokens of gemini-2.5-flash.
    assert usage.cost == pytest.approx((600 * 0.3 + 400 * 0.03 + 500 * 2.5) / 1e6)


def test_thoughts_stay_out_of_the_text(model_for: Any, answer: Any, gemini_reply: Any) -> None:
    parts = (
        {"text": "Hm, let me see.", "thought": True},
        {"text": "a = 1\n"},
        {"text": "b = 2", "thoughtSignature": "YQ=="},
    )
    answer(body=gemini_reply(*parts, model="gemini-3.1-pro-preview"))
    assert model_for(PRO).ask().text == "a = 1\nb = 2"


def test_the_request_says_all_that_the_tier_says(model_for: Any, answer: Any, gemini_reply: Any, provider: Any) -> None:
    answer(body=gemini_reply())
    model_for(PRO, "low", 0.3).ask()
    [request] = provider.requests
    assert request.path == "/v1beta/models/gemini-3.1-pro-preview:streamGenerateContent?alt=sse"
    assert request.headers["x-goog-api-key"] == "sk-this-is-a-key-0123456789"
    assert "sk-this" not in request.raw + request.path
    assert request.body["systemInstruction"]["parts"] == [{"text": "You are a developer."}]
    assert request.body["contents"] == [{"role": "user", "parts": [{"text": "Write add."}]}]
    config = request.body["generationConfig"]
    assert (config["temperature"], config["maxOutputTokens"]) == (0.3, 1234)
    assert config["thinkingConfig"] == {"thinking_level": "LOW"}


def test_what_a_tier_leaves_open_is_not_sent(model_for: Any, answer: Any, gemini_reply: Any, provider: Any) -> None:
    answer(body=gemini_reply())
    model_for("gemini:gemini-2.5-flash").ask()
    config = provider.requests[0].body["generationConfig"]
    assert "temperature" not in config
    assert "thinkingConfig" not in config


def test_another_api_version_changes_the_path(model_for: Any, answer: Any, gemini_reply: Any, provider: Any) -> None:
    answer(body=gemini_reply())
    model_for(PRO, gemini_api_version="v1").ask()
    assert provider.requests[0].path.startswith("/v1/models/")


@pytest.mark.parametrize(
    ("model", "level", "budget"),
    [
        ("gemini-2.5-flash", "none", 0),
        ("gemini-2.5-flash-lite", "minimal", 512),
        ("gemini-2.5-pro", "low", 1024),
        ("gemini-2.5-pro", "medium", 8192),
        ("gemini-2.5-flash", "high", 24576),
    ],
)
def test_gemini_2_5_gets_its_level_as_a_budget(
    model_for: Any, answer: Any, gemini_reply: Any, provider: Any, model: str, level: str, budget: int
) -> None:
    answer(body=gemini_reply())
    model_for(f"gemini:{model}", level).ask()
    thinking = provider.requests[0].body["generationConfig"]["thinkingConfig"]
    assert thinking.get("thinking_budget", thinking.get("thinkingBudget")) == budget


def test_models_with_fixed_sampling_are_sent_no_temperature(
    model_for: Any, answer: Any, gemini_reply: Any, provider: Any
) -> None:
    answer(body=gemini_reply())
    model_for("gemini:gemini-3.6-flash", None, 0.2).ask()
    assert "temperature" not in provider.requests[0].body["generationConfig"]


@pytest.mark.parametrize("level", ["minimal", "low", "medium", "high"])
def test_a_model_without_a_profile_takes_the_four_levels(
    model_for: Any, answer: Any, gemini_reply: Any, provider: Any, level: str
) -> None:
    answer(body=gemini_reply())
    model_for("gemini:gemini-9-flash", level).ask()
    thinking = provider.requests[0].body["generationConfig"]["thinkingConfig"]
    assert thinking == {"thinking_level": level.upper()}


@pytest.mark.parametrize(
    ("model", "level", "allowed"),
    [
        ("gemini-3.1-pro-preview", "minimal", "takes one of: low, medium, high"),
        ("gemini-3-pro-preview", "medium", "takes one of: low, high"),
        ("gemini-3.7-flash", "minimal", "takes one of: low, medium, high"),
        ("gemini-3.1-pro-preview", "none", "takes one of: low, medium, high"),
        ("gemini-2.5-pro", "none", "takes one of: minimal, low, medium, high"),
        ("gemini-2.0-flash", "low", "takes no thinking level"),
        ("gemma-3-27b-it", "high", "takes no thinking level"),
    ],
)
def test_a_level_that_the_model_does_not_know_is_refused_before_any_call(
    model_for: Any, provider: Any, model: str, level: str, allowed: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        model_for(f"gemini:{model}", level)
    assert caught.value.message == f"CODER_THINKING_LEVEL={level}: gemini:{model} {allowed}."
    assert "CODER_THINKING_LEVEL" in caught.value.remedy
    assert provider.requests == []


@pytest.mark.parametrize(
    ("word", "finish"),
    [
        ("MAX_TOKENS", "truncated"),
        ("SAFETY", "blocked"),
        ("RECITATION", "blocked"),
        ("MALFORMED_FUNCTION_CALL", "unknown"),
    ],
)
def test_the_finish_reason_is_ours(model_for: Any, answer: Any, gemini_reply: Any, word: str, finish: str) -> None:
    answer(body=gemini_reply({"text": "def f("}, finish=word))
    assert model_for(PRO).ask().finish == finish


def test_a_budget_spent_on_thoughts_is_an_empty_truncated_reply_that_is_billed(model_for: Any, answer: Any) -> None:
    usage = {"promptTokenCount": 10, "thoughtsTokenCount": 1234, "totalTokenCount": 1244}
    answer(
        body={"candidates": [{"finishReason": "MAX_TOKENS"}], "usageMetadata": usage, "modelVersion": "gemini-2.5-pro"}
    )
    reply = model_for(PRO).ask()
    assert (reply.text, reply.finish) == ("", "truncated")
    assert reply.usage.reasoning_tokens == 1234
    assert reply.usage.cost is not None


def test_a_blocked_prompt_is_a_blocked_reply(model_for: Any, answer: Any) -> None:
    answer(body={"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": "gemini-2.5-pro"})
    reply = model_for(PRO).ask()
    assert (reply.text, reply.finish) == ("", "blocked")


def test_usage_that_is_missing_is_unknown_and_so_is_its_cost(model_for: Any, answer: Any, gemini_reply: Any) -> None:
    body = gemini_reply()
    del body["usageMetadata"]
    answer(body=body)
    usage = model_for(PRO).ask().usage
    assert (usage.input_tokens, usage.output_tokens, usage.cost) == (None, None, None)


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        (400, "API key not valid. Please pass a valid API key.", AuthenticationFault),
        (400, "Thinking level MINIMAL is not supported for this model.", RequestFault),
        (400, "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).", ContextFault),
        (401, "Request had invalid authentication credentials.", AuthenticationFault),
        (403, "Your API key was reported as leaked.", PermissionFault),
        (404, "models/gemini-0 is not found for API version v1beta.", NotFoundFault),
        (418, "Short and stout.", RequestFault),
    ],
)
def test_a_refusal_is_told_once_with_what_to_do(
    model_for: Any, answer: Any, provider: Any, status: int, message: str, kind: type[ModelFault]
) -> None:
    answer(status=status, body=fault(status, message))
    asked = model_for(PRO)
    with pytest.raises(kind) as caught:
        asked.ask()
    assert caught.value.message == f"Gemini (gemini-3.1-pro-preview, developer): {message}"
    assert caught.value.remedy == kind.advice
    assert caught.value.__cause__ is not None
    assert len(provider.requests) == 1
    assert asked.waits == []


def test_the_wait_that_google_asks_for_in_the_body_is_honoured(model_for: Any, answer: Any, gemini_reply: Any) -> None:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}
    answer(status=429, body=fault(429, "Slow down.", "RESOURCE_EXHAUSTED", details=[info]))
    answer(body=gemini_reply())
    asked = model_for(PRO)
    assert asked.ask().text == "Hello."
    assert asked.waits == [34.5]


def test_a_quota_that_opens_too_late_is_not_waited_for(model_for: Any, answer: Any, provider: Any) -> None:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3600s"}
    answer(status=429, body=fault(429, "Quota of the day used up.", "RESOURCE_EXHAUSTED", details=[info]))
    asked = model_for(PRO)
    with pytest.raises(RateLimitFault, match="Quota of the day"):
        asked.ask()
    assert len(provider.requests) == 1


@pytest.mark.parametrize("status", [408, 500, 503])
def test_trouble_that_passes_is_survived(
    model_for: Any, answer: Any, gemini_reply: Any, provider: Any, status: int
) -> None:
    answer(status=status, body=fault(status, "Overloaded."))
    answer(body=gemini_reply())
    asked = model_for(PRO)
    assert asked.ask().text == "Hello."
    assert len(provider.requests) == 2
    assert len(asked.waits) == 1


def test_trouble_that_stays_ends_after_the_attempts_that_are_set(model_for: Any, answer: Any, provider: Any) -> None:
    answer(status=503, body=fault(503, "The model is overloaded."))
    asked = model_for(PRO, model_attempts=3)
    with pytest.raises(ServerFault, match="The model is overloaded"):
        asked.ask()
    assert len(provider.requests) == 3
    first, second = asked.waits
    assert 0 < first < second <= 60


def test_a_page_from_something_in_between_is_not_shown_as_it_is(model_for: Any, answer: Any) -> None:
    answer(status=502, body=b"<html>Bad gateway</html>", headers={"Content-Type": "text/html"})
    with pytest.raises(ServerFault, match="status 502 and a web page in place of an explanation"):
        model_for(PRO, model_attempts=1).ask()


def test_silence_is_a_fault_that_names_the_setting(model_for: Any, answer: Any, provider: Any) -> None:
    answer(silent=True)
    with pytest.raises(UnreachableFault) as caught:
        model_for(PRO, model_timeout=0.2, model_attempts=2).ask()
    assert "MODEL_TIMEOUT" in caught.value.remedy
    assert len(provider.requests) == 2


def test_a_refused_connection_is_a_fault(model_for: Any, provider: Any) -> None:
    asked = model_for(PRO, model_attempts=2)
    provider.socket.close()
    with pytest.raises(UnreachableFault, match="no answer"):
        asked.ask()
    assert len(asked.waits) == 1


def test_a_connection_cut_in_the_middle_is_tried_again(model_for: Any, answer: Any, gemini_reply: Any) -> None:
    answer(body=b'{"candidates": [', cut=True)
    answer(body=gemini_reply())
    assert model_for(PRO).ask().text == "Hello."


@pytest.mark.parametrize("body", [b"{not json", b"data: {not json\r\n\r\n", b"<html>Sign in</html>", b"", b"\xff\xfe"])
def test_garbage_is_a_fault_that_is_not_paid_for_again(model_for: Any, answer: Any, provider: Any, body: bytes) -> None:
    answer(body=body)
    with pytest.raises(GarbageFault, match="cannot be read"):
        model_for(PRO).ask()
    assert len(provider.requests) == 1


@pytest.mark.parametrize("event", [None, {}, [1, 2], {"candidates": []}])
def test_an_event_without_a_reply_is_no_reply(model_for: Any, answer: Any, event: Any) -> None:
    answer(body=[event])
    with pytest.raises(UnreachableFault, match="the stream ended before the reply did"):
        model_for(PRO, model_attempts=1).ask()


def test_a_stream_that_ends_before_the_reply_is_tried_again(
    model_for: Any, answer: Any, gemini_reply: Any, provider: Any
) -> None:
    unfinished = gemini_reply({"text": "def f("})
    del unfinished["candidates"][0]["finishReason"]
    answer(body=[unfinished])
    answer(body=gemini_reply())
    assert model_for(PRO).ask().text == "Hello."
    assert len(provider.requests) == 2


def test_a_fault_in_the_middle_of_a_stream_is_tried_again(model_for: Any, answer: Any, gemini_reply: Any) -> None:
    answer(body=[gemini_reply({"text": "def f("}, finish=None), fault(503, "Overloaded.")])
    answer(body=gemini_reply())
    assert model_for(PRO).ask().text == "Hello."


def test_a_reply_in_many_events_is_put_together_and_counted_once(
    model_for: Any, answer: Any, gemini_reply: Any
) -> None:
    events = [gemini_reply({"text": line}, finish=None) for line in ("a = 1\n", "b = 2\n")]
    for event in events:
        del event["candidates"][0]["finishReason"]
    answer(body=[*events, gemini_reply({"text": "c = 3\n"})])
    reply = model_for(PRO).ask()
    assert reply.text == "a = 1\nb = 2\nc = 3\n"
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (1000, 500)


def test_an_endless_stream_is_left(
    model_for: Any, answer: Any, gemini_reply: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("src.models.gemini.MAX_CHARACTERS", 1000)
    monkeypatch.setattr("src.models.answers.MAX_CHARACTERS", 1000)
    # Who reads on meets the cut.
    answer(body=[gemini_reply({"text": "x" * 400}) for _ in range(500)], cut=True)
    reply = model_for(PRO, model_attempts=1).ask()
    assert (len(reply.text), reply.finish) == (1000, "truncated")


def test_no_key_is_in_a_message_even_when_the_server_repeats_it(model_for: Any, answer: Any) -> None:
    answer(status=403, body=fault(403, "The key sk-this-is-a-key-0123456789 may not do this."))
    with pytest.raises(PermissionFault) as caught:
        model_for(PRO).ask()
    assert "sk-this" not in str(caught.value)
    assert "The key *** may not do this." in caught.value.message
    # A traceback would print the provider's own words: they are not chained then.
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_text_with_lone_surrogates_can_be_sent_and_received(model_for: Any, answer: Any, gemini_reply: Any) -> None:
    answer(body=gemini_reply({"text": "half \ud800 pair"}))
    assert model_for(PRO).model.ask([("human", "broken \udcff text")]).text == "half ? pair"


def test_variables_of_the_client_change_nothing(
    model_for: Any, answer: Any, gemini_reply: Any, provider: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("GOOGLE_API_KEY", "another-key-of-the-shell")
    answer(body=gemini_reply())
    assert model_for(PRO, model_attempts=1).ask().text == "Hello."
    assert provider.requests[0].headers["x-goog-api-key"] == "sk-this-is-a-key-0123456789"
