"""OpenRouter and servers of one's own: the same protocol with habits of their own."""

from typing import Any

import pytest

from src.models.faults import AuthenticationFault, ModelFault, ServerFault


def test_openrouter_is_sent_the_level_in_its_own_form_and_both_names_for_the_cap(
    model_for: Any, answer: Any, openai_reply: Any, provider: Any
) -> None:
    answer(body=openai_reply())
    model_for("openrouter:openai/gpt-5.3-codex", "high", 0.2).ask()
    [request] = provider.requests
    assert request.path == "/api/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer sk-this-is-a-key-0123456789"
    assert request.headers["x-title"] == "selfheal"
    body = request.body
    assert body["model"] == "openai/gpt-5.3-codex"
    assert body["reasoning"] == {"effort": "high", "exclude": True}
    assert body["usage"] == {"include": True}
    assert (body["max_tokens"], body["max_completion_tokens"]) == (1234, 1234)
    assert body["temperature"] == 0.2
    assert "reasoning_effort" not in body
    assert "sk-this" not in request.raw


def test_openrouter_is_sent_no_level_when_none_is_set(
    model_for: Any, answer: Any, openai_reply: Any, provider: Any
) -> None:
    answer(body=openai_reply())
    model_for("openrouter:a/b").ask()
    assert provider.requests[0].body.keys().isdisjoint({"reasoning", "temperature"})


def test_openrouter_tells_the_cost_itself(model_for: Any, answer: Any, openai_reply: Any) -> None:
    body = openai_reply()
    body["usage"]["cost"] = 0.0123
    answer(body=body)
    assert model_for("openrouter:a/b").ask().usage.cost == 0.0123


@pytest.mark.parametrize("cost", [None, "0.1", -1, True])
def test_a_cost_that_makes_no_sense_is_unknown(model_for: Any, answer: Any, openai_reply: Any, cost: Any) -> None:
    body = openai_reply()
    body["usage"]["cost"] = cost
    answer(body=body)
    assert model_for("openrouter:a/b").ask().usage.cost is None


def test_a_fault_behind_openrouter_in_an_answer_of_status_200_is_tried_again(
    model_for: Any, answer: Any, openai_reply: Any, provider: Any
) -> None:
    answer(body={"error": {"code": 502, "message": "Upstream is down."}})
    answer(body=openai_reply())
    assert model_for("openrouter:a/b").ask().text == "Hello."
    assert len(provider.requests) == 2


def test_a_fault_in_an_answer_of_status_200_is_told_in_its_own_words(model_for: Any, answer: Any) -> None:
    answer(body={"error": {"code": 502, "message": "Upstream is down."}})
    with pytest.raises(ServerFault, match=r"^OpenRouter \(a/b, developer\): Upstream is down\.\n"):
        model_for("openrouter:a/b", model_attempts=1).ask()


def test_a_server_of_ones_own_is_sent_the_level_as_it_is_and_both_names_for_the_cap(
    model_for: Any, answer: Any, openai_reply: Any, provider: Any
) -> None:
    answer(body=openai_reply(model="qwen3:8b"))
    reply = model_for("openai:qwen3:8b", "none", 0.2, openai_base_url=f"{provider.url}/local/v1").ask()
    [request] = provider.requests
    assert request.path == "/local/v1/chat/completions"
    body = request.body
    assert (body["model"], body["reasoning_effort"], body["temperature"]) == ("qwen3:8b", "none", 0.2)
    assert (body["max_tokens"], body["max_completion_tokens"]) == (1234, 1234)
    assert reply.text == "Hello."
    # Nobody knows what a server of one's own costs, whatever its models are called.
    assert reply.usage.cost is None


def test_a_server_that_asks_for_no_key_is_reached_without_one(
    model_for: Any, answer: Any, openai_reply: Any, provider: Any
) -> None:
    answer(body=openai_reply())
    more = {"openai_api_key": None, "openai_base_url": f"{provider.url}/v1"}
    assert model_for("compatible:llama", **more).ask().text == "Hello."


def test_a_model_named_like_one_of_the_newer_endpoint_stays_on_chat_completions(
    model_for: Any, answer: Any, openai_reply: Any, provider: Any
) -> None:
    answer(body=openai_reply())
    model_for("compatible:gpt-5-pro", openai_base_url=f"{provider.url}/v1").ask()
    assert provider.requests[0].path == "/v1/chat/completions"


def test_content_blocks_of_a_server_are_joined_without_thoughts(
    model_for: Any, answer: Any, openai_reply: Any, provider: Any
) -> None:
    blocks = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "a = 1"},
        {"type": "text", "text": "\n"},
    ]
    answer(body=openai_reply(blocks))
    assert model_for("compatible:m", openai_base_url=f"{provider.url}/v1").ask().text == "a = 1\n"


@pytest.mark.parametrize("model", ["openrouter:a/b", "compatible:m"])
def test_a_key_that_a_server_repeats_is_hidden(model_for: Any, answer: Any, provider: Any, model: str) -> None:
    answer(status=401, body={"error": {"message": "No: sk-this-is-a-key-0123456789", "code": 401}})
    with pytest.raises(AuthenticationFault) as caught:
        model_for(model, openai_base_url=f"{provider.url}/v1").ask()
    assert "sk-this" not in str(caught.value)


def test_an_error_that_is_only_text_is_told(model_for: Any, answer: Any, provider: Any) -> None:
    answer(status=400, body=b"model 'm' is loading", headers={"Content-Type": "text/plain"})
    with pytest.raises(ModelFault, match="model 'm' is loading"):
        model_for("compatible:m", openai_base_url=f"{provider.url}/v1").ask()
