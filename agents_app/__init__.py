"""Everything about a person's plot."""

__version__ = "0.1.0"
