"""The command ``skelmap``, which comes with the package."""

from __future__ import annotations

import signal
import sys

from . import _native


def main() -> None:
    """Runs the command with the arguments of the process and ends with its exit status."""
    # Python would only remember Ctrl-C until the command ends.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.run_command(["skelmap", *sys.argv[1:]]))
