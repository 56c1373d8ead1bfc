"""API routes; an unknown address below them is a JSON 404 too, by `middleware.JsonErrors`."""

from django.urls import path

from agents_app.api.api import api

urlpatterns = [path("", api.urls)]
