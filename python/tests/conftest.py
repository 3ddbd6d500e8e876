"""Where the files are that the tests read, and how much hypothesis does."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path
from typing import Any

import hypothesis
import hypothesis.configuration
import pytest
import support

# A shell lets the programs that it starts in the background ignore Ctrl-C, and the programs that these start inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Examples are small files, which health checks take for too much data. `ci` does the same in each run.
common: dict[str, Any] = {"deadline": None, "database": None, "suppress_health_check": list(hypothesis.HealthCheck)}
hypothesis.settings.register_profile("ci", max_examples=600, derandomize=True, **common)
hypothesis.settings.register_profile("long", max_examples=100_000, **common)
hypothesis.settings.load_profile("long" if os.environ.get("SKELMAP_HYPOTHESIS") == "long" else "ci")
hypothesis.configuration.set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "skelmap-hypothesis")


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The files to begin with: a fox and a figure."""
    return support.CORPUS


@pytest.fixture(scope="session")
def test_corpus() -> Path:
    """The files that are odd or damaged on purpose."""
    return support.TEST_CORPUS


@pytest.fixture(scope="session")
def samples() -> Path:
    """Files of real programs, which are not part of the repository."""
    if support.SAMPLES is None:
        pytest.skip("SKELMAP_SAMPLES does not name the folder of real files")
    return support.SAMPLES
