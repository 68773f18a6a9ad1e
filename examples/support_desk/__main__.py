"""Start the support desk."""

from examples.support_desk.app import app

if __name__ == "__main__":
    app(prog_name="python -m examples.support_desk")
