"""Other teams built from the same parts. Each runs by itself: `python -m examples.<name>`."""
