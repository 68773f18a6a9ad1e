"""What is said about money before a run begins, and what is refused."""

from src.cli.crew import Crew
from src.cli.plan import Plan
from src.cli.words import dollars
from src.config import Settings
from src.errors import ConfigurationError
from src.forecast import Caps, forecast
from src.models.tiers import VARIABLES


def check_budget(crew: Crew, settings: Settings) -> None:
    """Refuse a budget in dollars that could not be kept. Raises `ConfigurationError`."""
    if settings.budget is None:
        return
    everybody = {role: (model, *crew.ladders.get(role, ())) for role, model in crew.models.items()}
    unknown = [role for role, rungs in everybody.items() if any(rung.worst_case([]).cost is None for rung in rungs)]
    names = [f"{crew.tiers[role].provider}:{crew.tiers[role].model} ({VARIABLES[role]})" for role in unknown]
    prices = [f"{VARIABLES[role]}_PRICE=INPUT,OUTPUT" for role in unknown]
    if crew.embedder and crew.embedder.worst_case([]).cost is None:
        names.append(f"{crew.embedder.name} (EMBEDDING)")
        prices.append("EMBEDDING_PRICE=INPUT")
    if names:
        raise ConfigurationError(
            f"A budget in dollars cannot be kept: the price of {', '.join(names)} is unknown.",
            f"Set {prices[0]} (dollars per million tokens), add a row to a table of your own (PRICES_FILE), or limit "
            "the tokens: --max-tokens N.",
        )


def forecast_line(crew: Crew, plan: Plan, settings: Settings) -> str:
    """What the run could cost at most, in one line."""
    caps = Caps(settings.max_corrections, plan.max_iterations, developers=plan.developers)
    told = forecast(crew.models, plan.request, caps, crew.embedder)
    price = f"{dollars(told.worst.cost)}" if told.worst.cost is not None else "an unknown price"
    limits = [f"${settings.budget:.2f}"] if settings.budget is not None else []
    limits += [f"{settings.max_tokens:,} tokens"] if settings.max_tokens is not None else []
    bound = f"; stopped before it crosses {' or '.join(limits)}" if limits else ""
    return f"At most {told.calls} calls and {told.worst.tokens:,} tokens, {price} in the worst case{bound}."
