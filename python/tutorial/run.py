"""Runs the tutorial from its first cell to its last, and fails if a cell does.

    python tutorial/run.py            # runs a copy; the notebook stays as it is
    python tutorial/run.py --write    # stores the outputs in the notebook

Needs the package and `nbclient`, `ipykernel`, `polars` and `matplotlib`.
"""

from __future__ import annotations

import argparse
import base64
import io
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).resolve().with_name("tutorial.ipynb")

LARGEST = 200_000
"""The most bytes of the notebook with its outputs."""


def run(nbformat: Any, nbclient: Any) -> Any:
    """A copy of the notebook with the outputs of this run."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    # Cells see the folder of the notebook, from which they find the corpus.
    resources = {"metadata": {"path": str(NOTEBOOK.parent)}}
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources, record_timing=False)
    client.execute()
    return notebook


def shrink(notebook: Any) -> None:
    """Gives the pictures a palette, which makes them a third as large."""
    image: Any = import_module("PIL.Image")
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" not in data:
                continue
            small = io.BytesIO()
            picture = image.open(io.BytesIO(base64.b64decode(data["image/png"])))
            picture.convert("RGB").quantize(128, dither=image.Dither.NONE).save(small, "PNG", optimize=True)
            data["image/png"] = base64.b64encode(small.getvalue()).decode()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="store the outputs in the notebook")
    arguments = parser.parse_args()
    try:
        nbformat: Any = import_module("nbformat")
        nbclient: Any = import_module("nbclient")
        for package in ("ipykernel", "matplotlib", "polars", "skelmap"):
            import_module(package)
    except ImportError as error:
        sys.exit(f"{NOTEBOOK.name}: cannot run: {error}")
    try:
        notebook = run(nbformat, nbclient)
    except nbclient.exceptions.CellExecutionError as error:
        sys.exit(f"{error}\n{NOTEBOOK.name}: a cell failed, see above")
    except nbclient.exceptions.CellTimeoutError as error:
        sys.exit(f"{NOTEBOOK.name}: {error}")
    if arguments.write:
        shrink(notebook)
        nbformat.write(notebook, NOTEBOOK)
    size = NOTEBOOK.stat().st_size
    if size > LARGEST:
        sys.exit(f"{NOTEBOOK.name}: has {size:,} bytes, more than {LARGEST:,}")
    print(f"{NOTEBOOK.name}: all {len(notebook.cells)} cells ran")


if __name__ == "__main__":
    main()
