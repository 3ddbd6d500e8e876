"""``python -m skelmap`` is the command ``skelmap``."""

from ._command import main

main()
