"""A shop's support bot whose outputs are never trusted: `python -m examples.support_desk`."""
