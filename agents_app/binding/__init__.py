"""Columns and roles: which fit, which are proposed, and what to do where they don't (`docs/binding.md`)."""

from agents_app.binding.accepts import accepts
from agents_app.binding.check import Checked, check
from agents_app.binding.propose import propose
from agents_app.binding.suggest import Fit, fits

__all__ = ["Checked", "Fit", "accepts", "check", "fits", "propose"]
