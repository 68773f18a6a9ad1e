"""A model that fills in a form, and the gate that judges it: the correction loop of the house, a person at its end.

Whoever looks for the code that acts finds none here: out comes a claim that a gate let through, or none.
"""

import json
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel, ValidationError

from examples.support_desk.escalation import line_of, oversight_of, refusal
from examples.support_desk.extraction import ClaimState, Extraction
from examples.support_desk.prompts import background, correction
from examples.support_desk.state import DeskContext, MatterOutput
from src.gated import Box, GatedAuthor, Judgement, Update, build_gated
from src.gates.verdict import Verdict

MAX_CORRECTIONS = 2
"""How often a model is asked again in a turn before a person is."""
MAX_RAW = 2_000
"""Characters of an unreadable reply that are shown to its author again."""


def build_extraction(extraction: Extraction) -> Box:
    """The loop: the model fills in, the gate judges, with every failed rule back to the model, then to a person."""
    author = GatedAuthor(
        extraction.who,
        ClaimState,
        MatterOutput,
        lambda state, *, runtime: _fill_in(extraction, state, runtime),
        lambda state: _judge(extraction, state),
        lambda state: _give_up(extraction, state),
        oversight=oversight_of(extraction),
    )
    return build_gated(author, max_corrections=MAX_CORRECTIONS, context=DeskContext)


def _fill_in(extraction: Extraction, state: ClaimState, runtime: Runtime[DeskContext]) -> Update:
    messages: list[BaseMessage] = [SystemMessage(extraction.told + background(state.get("summary", "")))]
    messages += extraction.reads(state)
    audit = []
    if reasons := state.get("reasons"):
        messages += [AIMessage(state["raw"]), HumanMessage(correction(reasons))]
        if number := state.get("corrections", 0):  # else a person sent it back, and the trail has that already
            audit = [line_of(extraction, state, reasons, f"asked again, correction {number}")]
    # Not `with_structured_output(include_raw=True)`: it asks from another thread, and Ctrl-C would wait for the model.
    model = runtime.context.chat(extraction.who).bind_tools([extraction.form], tool_choice="any")
    return {**_read(extraction.form, model.invoke(messages)), "audit": audit}


def _read(form: type[BaseModel], reply: AIMessage) -> Update:
    """What the model claims, as plain data; or why that cannot be read."""
    calls = [call["args"] for call in reply.tool_calls if call["name"] == form.__name__]
    shown = json.dumps(calls[0], ensure_ascii=False) if calls else reply.text
    problems = [f"The form {form.__name__} was not filled in."]
    if calls:
        try:
            return {
                "extracted_data": form.model_validate(calls[0]).model_dump(),
                "problems": [],
                "raw": shown[:MAX_RAW],
            }
        except ValidationError as fault:
            problems = told(fault)
    return {"extracted_data": {}, "problems": problems, "raw": shown[:MAX_RAW] or "(nothing)"}


def told(fault: ValidationError) -> list[str]:
    """Every field that is wrong, a line each."""
    problems = fault.errors(include_url=False, include_context=False, include_input=False)
    return [f"{'.'.join(map(str, problem['loc'])) or 'form'}: {problem['msg']}." for problem in problems[:10]]


def _judge(extraction: Extraction, state: ClaimState) -> Judgement:
    data, problems = _claimed(extraction, state)
    if extraction.asks and not problems and not data["order_id"]:
        return Judgement(Verdict(), {"extracted_data": data, "accepted": {}, "standing": "asks"})
    verdict = Verdict(tuple(problems)) if problems else extraction.gate(data, state)
    if verdict.passed:
        return Judgement(verdict, {"extracted_data": data, "accepted": data, "standing": "accepted"})
    standing = "director" if verdict.escalate else "refused"
    refused = refusal(extraction, state, list(verdict.reasons))
    return Judgement(verdict, {"accepted": {}, "standing": standing, "validation_errors": [refused]})


def _claimed(extraction: Extraction, state: ClaimState) -> tuple[dict[str, Any], list[str]]:
    """The model's claim, or what a person put in its place, and why it cannot be read."""
    if not (edited := state.get("edited")):
        return state["extracted_data"], state["problems"]
    try:
        return extraction.form.model_validate_json(edited["claim"]).model_dump(), []
    except ValidationError as fault:
        return {}, told(fault)


def _give_up(extraction: Extraction, state: ClaimState) -> Update:
    if extraction.without is None:
        return {"audit": [line_of(extraction, state, state["reasons"], "put to a director")]}
    return {"audit": [line_of(extraction, state, state["reasons"], "gave up")], **extraction.without(state)}
