"""The exception of bytes that are no asset."""

from __future__ import annotations


class FormatError(ValueError):
    """Bytes that are none of the formats, or a damaged file.

    A missing file is a ``FileNotFoundError``, as everywhere in Python, and a file that the system cannot read another ``OSError``.

    Attributes:
        kind: The stable name of the fault, as ``skelmap explain`` lists it.
        section: The chunk or section of the file; ``None`` for a fault of an archive.
        offset: The byte at which the section begins; ``None`` for a fault of an archive.
        path: The path or address; ``None`` for bytes.

    >>> import skelmap
    >>> try:
    ...     skelmap.parse(b"not an asset")
    ... except skelmap.FormatError as error:
    ...     error.kind, error.section, error.offset
    ('unknown-format', 'file', 0)
    """

    kind: str
    section: str | None
    offset: int | None
    path: str | None

    def __init__(
        self,
        message: str,
        kind: str = "io",
        section: str | None = None,
        offset: int | None = None,
        path: str | None = None,
    ) -> None:
        super().__init__(message, kind, section, offset, path)
        self.message = message
        self.kind = kind
        self.section = section
        self.offset = offset
        self.path = path

    def __str__(self) -> str:
        return self.message if self.path is None else f"{self.path}: {self.message}"
