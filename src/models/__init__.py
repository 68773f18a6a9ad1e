"""Role -> model, by provider. Importing this imports no LangChain; a provider's client comes with its first use."""

from src.models.build import build_ladders
from src.models.faults import FAULTS, ModelFault
from src.models.replay import Recorder, ReplayModel, recording, replay_models
from src.models.tiers import PROVIDERS, Tier, check_keys, choose_provider, describe_ladders, describe_tiers
from src.models.transcripts import Entry, Header, Transcript, load_transcript

__all__ = [
    "FAULTS",
    "PROVIDERS",
    "Entry",
    "Header",
    "ModelFault",
    "Recorder",
    "ReplayModel",
    "Tier",
    "Transcript",
    "build_ladders",
    "check_keys",
    "choose_provider",
    "describe_ladders",
    "describe_tiers",
    "load_transcript",
    "recording",
    "replay_models",
]
