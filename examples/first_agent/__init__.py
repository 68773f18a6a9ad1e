"""A first agent, from a loop of model and tools to a person's say and travel in time: five short programs."""
