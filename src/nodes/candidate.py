"""What the developer's and the debugger's module is judged by before it is run."""

from src.failures.history import failed_candidates
from src.gated import Update
from src.gates.candidate import CandidateFacts, check_candidate
from src.gates.suspicions import judge_suspicions, suspicions
from src.gates.verdict import Verdict
from src.nodes.author import AuthorState, known_packages
from src.state import Role, Suspected, TeamState


def candidate_facts(state: TeamState) -> CandidateFacts:
    """What the gate knows besides the candidate."""
    return CandidateFacts(
        module_name=state["module_name"],
        tests=state["tests"],
        packages=known_packages(state),
        failed=failed_candidates(state),
    )


def edited_code(state: AuthorState) -> str:
    """The module that a person wrote in the author's place; empty when it is the author's."""
    return state.get("edited", {}).get("code", "")


def judge_candidate(role: Role, state: TeamState, code: str, facts: CandidateFacts) -> tuple[Verdict, Update]:
    """The verdict, and what is learnt even if the candidate is refused: which suspicions `role` has been told of."""
    verdict = check_candidate(code, facts)
    if not verdict.passed:
        return verdict, {}
    found = suspicions(code)
    told = {entry["kind"] for entry in state.get("suspicions", []) if entry["role"] == role}
    kinds = sorted({one.kind for one in found})
    named = [Suspected(id=f"{role}-{kind}", role=role, kind=kind) for kind in kinds]
    return judge_suspicions(found, told), {"suspicions": named}
