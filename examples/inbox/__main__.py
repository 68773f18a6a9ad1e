"""Start the inbox assistant."""

from examples.inbox.app import app

if __name__ == "__main__":
    app(prog_name="python -m examples.inbox")
