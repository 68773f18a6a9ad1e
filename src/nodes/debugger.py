"""The debugger: a candidate and what was measured of it → diagnosis and patched candidate."""

from typing import Any

from src.gated import GatedAuthor, Judgement, Update
from src.gates.verdict import Verdict
from src.nodes.author import AuthorOutput, AuthorState, give_up, judge, writer
from src.nodes.candidate import candidate_facts, judge_candidate
from src.parsing import parse_debugger
from src.prompts import conversation
from src.reply import Reply
from src.state import Message


class DebuggerOutput(AuthorOutput, total=False):
    """What the debugger hands to the team."""

    code: str
    """The patched candidate."""
    iteration: int
    """Passes of the debugger, this one included."""
    debug_history: list[str]
    """Diagnoses, this one included."""


def _conversation(state: AuthorState) -> list[Message]:
    results = state["test_results"]
    return conversation(
        "debugger",
        module_name=state["module_name"],
        user_request=state["user_request"],
        specs=state["specs"],
        tests=state["tests"],
        debug_history=state.get("debug_history", []),
        code=state["code"],
        status=results["status"],
        error_summary=results["error_summary"] or results["reason"],
    )


def _judge(state: AuthorState) -> Judgement:
    facts = candidate_facts(state)

    def check(reply: Reply) -> tuple[Verdict, Update]:
        patch = parse_debugger(reply, facts.wanted, state["code"])
        verdict, learnt = judge_candidate("debugger", state, patch.code, facts)
        return verdict, {"code": patch.code, "status": "code_patched", **learnt, **_one_more(state, patch.diagnosis)}

    return judge("debugger", state, check)


def _give_up(state: Any) -> Update:
    return {**give_up("debugger", state), **_one_more(state, f"no usable patch: {state['reasons'][0]}")}


def _one_more(state: AuthorState, diagnosis: str) -> Update:
    iteration = state.get("iteration", 0) + 1
    entry = f"Iteration {iteration}: {' '.join(diagnosis.split())}"
    return {"iteration": iteration, "debug_history": [*state.get("debug_history", []), entry]}


DEBUGGER = GatedAuthor("debugger", AuthorState, DebuggerOutput, writer("debugger", _conversation), _judge, _give_up)
