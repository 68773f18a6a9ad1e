"""The specialist for refunds: claim → gate → a person → booked."""

from collections.abc import Mapping

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from examples.support_desk.author import build_extraction
from examples.support_desk.claims import RefundClaim
from examples.support_desk.edges import after_approval, after_director, after_refund_claim
from examples.support_desk.extraction import Extraction
from examples.support_desk.facts import Order
from examples.support_desk.gates import Claim, refund_verdict
from examples.support_desk.people import decide, lines, written
from examples.support_desk.prompts import REFUNDS
from examples.support_desk.state import DeskContext, DeskState, MatterOutput, Refusal
from src.approvals import Approval
from src.audit import audit_entry
from src.gated import Box, Update
from src.gates.verdict import Verdict

CLAIM = Extraction(
    "refunds", RefundClaim, REFUNDS, lambda claim, state: refund_verdict(claim, state["orders"]), asks=True
)


def build_refunds() -> Box:
    """The specialist as a box."""
    graph = StateGraph(DeskState, DeskContext, output_schema=MatterOutput)
    graph.add_node("claim", build_extraction(CLAIM))
    graph.add_node("approval", approval)
    graph.add_node("director", director)
    graph.add_node("book", book)
    graph.add_edge(START, "claim")
    graph.add_conditional_edges("claim", after_refund_claim)
    graph.add_conditional_edges("approval", after_approval)
    graph.add_conditional_edges("director", after_director)
    graph.add_edge("book", END)
    return graph.compile(name="refunds")


def approval(state: DeskState) -> Update:
    """A person approves, rejects or escalates what the gate let through."""
    return decide(
        state,
        _question("refund", state, state["accepted"], approve="book it", escalate="leave it to a director"),
        {"approve": "approved", "reject": "rejected", "escalate": "director"},
    )


def director(state: DeskState) -> Update:
    """A director decides about a claim that lacks nothing else; it is judged once more as it is booked."""
    claim = state["accepted"] or state["extracted_data"]
    asked = _question("director", state, claim, approve="book it, as a director")
    return {"accepted": claim, **decide(state, asked, {"approve": "signed", "reject": "rejected"})}


def book(state: DeskState, runtime: Runtime[DeskContext]) -> Update:
    """The tool: books what the gate let through and a person approved.

    Its key is the same when this node is done again after a crash.
    """
    claim, signed = state["accepted"], state["standing"] == "signed"

    def judge(orders: Mapping[str, Order]) -> Verdict:
        return refund_verdict(claim, orders, director=signed)

    booking = runtime.context.shop.refund(key_of(state, "refund"), state["customer"], claim, judge)
    if not booking.booked:
        return {"standing": "too late", "validation_errors": [_refusal(state, booking.verdict)]}
    told = f"{claim['amount']} for {claim['order_id']}"
    entry = audit_entry(
        f"turn-{state['turn_number']}-booked",
        role="refunds",
        gate="shop",
        reasons=[told],
        action="was booked before" if booking.again else "booked",
    )
    return {"standing": "booked", "audit": [entry]}


def key_of(state: DeskState, what: str) -> str:
    """The key that is booked under: one for each turn of each conversation."""
    return f"{state['conversation']}-{state['turn_number']}-{what}"


def _question(matter: str, state: DeskState, claim: Claim, **meanings: str) -> Approval:
    order = state["orders"][claim["order_id"]]
    return Approval(
        matter=matter,
        question=f"Refund {claim['amount']} for {claim['order_id']}?",
        background=lines(
            customer=state["customer"],
            order=f"{order['product']}, {order['status']}, paid {order['paid']}, refunded so far {order['refunded']}",
            reason=claim["reason"],
            the_customer_wrote=written(state),
            a_colleague_noted=state["note"],
        ),
        decisions=tuple(word for word in ("approve", "reject", "escalate") if word == "reject" or word in meanings),
        meanings={**meanings, "reject": "no refund; the customer is told your notes"},
        explained=(),
    )


def _refusal(state: DeskState, verdict: Verdict) -> Refusal:
    reasons = list(verdict.reasons)
    return Refusal(
        id=f"turn-{state['turn_number']}-refunds-late", turn=state["turn_number"], who="refunds", reasons=reasons
    )
