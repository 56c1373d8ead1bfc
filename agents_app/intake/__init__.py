"""Bytes to a typed table, with a receipt of every guess (`docs/intake.md`)."""

from agents_app.intake.canonical import read_arguments, read_canonical
from agents_app.intake.read import read
from agents_app.intake.table import Column, Note, Reading, Table, json_rows

__all__ = ["Column", "Note", "Reading", "Table", "json_rows", "read", "read_arguments", "read_canonical"]
