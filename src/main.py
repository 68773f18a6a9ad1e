"""`python -m src.main` and `selfheal`: hand over to the command line."""

import sys
import traceback

OWN_FAULT = 70
"""Exit code of a fault in selfheal itself; 1 would say UNVERIFIED (the number is EX_SOFTWARE of sysexits.h)."""


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        from src.cli.app import app

        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception:  # noqa: BLE001  # nothing above could; Python's own exit code for this is 1, and that means UNVERIFIED
        traceback.print_exc()
        sys.stderr.write("\nThis is a fault of selfheal itself, not of your request. Please report the lines above.\n")
        sys.exit(OWN_FAULT)


if __name__ == "__main__":
    main()
