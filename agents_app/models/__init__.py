"""The rows behind a person's plots."""

from agents_app.models.access import ApiToken, Guest
from agents_app.models.dataset import Dataset
from agents_app.models.session import Session
from agents_app.models.toggle import Toggle
from agents_app.models.turn import Event, QueueGate, QueueStart, Turn
from agents_app.models.usage import Usage
from agents_app.models.version import Artifact, Feedback, Version

__all__ = [
    "ApiToken",
    "Artifact",
    "Dataset",
    "Event",
    "Feedback",
    "Guest",
    "QueueGate",
    "QueueStart",
    "Session",
    "Toggle",
    "Turn",
    "Usage",
    "Version",
]
