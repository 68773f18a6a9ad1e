"""Start a run, resume it, look at what was saved. The only owner of the checkpointer.

    runs = Runs(Path(".selfheal/runs.sqlite"))      # or Runs(Address(path, url="postgresql://…"))
    state = runs.start("Build a …", context)        # context: TeamContext, whose run_id names the run
    state = runs.resume("a-run-7f3a", context)      # after a crash or an interruption
    state = runs.replay("a-run-7f3a", "3", context) # again from a step that history() tells
    state = runs.fork("a-run-7f3a", "3", context, {"code": "…"})  # a new run from there, named by the context

A run is a thread of LangGraph with a checkpoint after every step, so that a killed process loses nothing that was
paid for.
"""

from src.runs.database import Address
from src.runs.held import AtWork
from src.runs.names import check_name, new_run_id
from src.runs.runs import Runs
from src.runs.saved import SavedRun, Step, UnreadableRun, check_answer
from src.runs.steps import longest
from src.runs.travel import asked

__all__ = [
    "Address",
    "AtWork",
    "Runs",
    "SavedRun",
    "Step",
    "UnreadableRun",
    "asked",
    "check_answer",
    "check_name",
    "longest",
    "new_run_id",
]
