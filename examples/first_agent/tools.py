"""What the first agent can do. A tool is a function; its signature and docstring are what the model reads."""

from datetime import UTC, datetime

from langchain_core.tools import tool

REPORTS = {"oslo": "4 °C, rain", "rome": "17 °C, clear", "lima": "22 °C, overcast"}
"""Stands for a weather service: the example runs without a network."""


@tool
def weather(city: str) -> str:
    """The weather in a city, now."""
    known = ", ".join(name.title() for name in REPORTS)
    return f"{city}: {REPORTS.get(city.strip().lower(), f'no report; there are reports of {known}')}"


@tool
def utc_time() -> str:
    """The time now, in UTC."""
    return f"{datetime.now(UTC):%H:%M} UTC"


@tool
def multiply(a: int, b: int) -> str:
    """The product of two whole numbers."""
    return f"{a} x {b} = {a * b}"


@tool
def book_table(restaurant: str, people: int, time: str) -> str:
    """Book a table for this evening. It costs money when nobody comes."""
    return f"Booked: {restaurant}, {people} people, {time}."
