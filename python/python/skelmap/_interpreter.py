"""Refuses subinterpreters, which NumPy and the native part cannot serve, before either of them is loaded."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def _find() -> Any:
    """The module of Python about interpreters; ``None`` where it has none."""
    for name in ("_interpreters", "_xxsubinterpreters"):
        try:
            return import_module(name)
        except ImportError:
            pass
    return None


_module = _find()
if _module is not None and _module.get_current() != _module.get_main():
    raise ImportError("skelmap cannot be used in a subinterpreter; use the main interpreter, or another process")
