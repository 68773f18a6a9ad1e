"""The self-healing code-generation team."""

__version__ = "0.1.0"
