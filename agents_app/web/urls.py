"""Page routes."""

from django.urls import path, re_path

from agents_app.web import actions, agent, appearance, debug, examples, gallery, plot, previews, sessions

PREVIEW = r"^previews/(?P<spec>[\w-]+)/(?P<library>[\w]+)-(?P<theme>light|dark)-(?P<width>\d{1,5})\.webp$"

urlpatterns = [
    path("", gallery.gallery),
    path("data", gallery.bring_table),
    path("appearance", appearance.appearance),
    path("examples/<slug:key>.csv", examples.download),
    re_path(PREVIEW, previews.preview),
    path("plots/<slug:spec>/", plot.first),
    path("plots/<slug:spec>/<slug:language>/<slug:library>", plot.plot),
    path("plots/<slug:spec>/<slug:language>/<slug:library>.py", plot.download),
    path("agent/", agent.agent),
    path("agent/panel", agent.panel_fragment),
    path("agent/turns/<uuid:turn>/", agent.turn_fragment),
    path("agent/cards/<uuid:session>/<int:version>/", agent.card_fragment),
    path("agent/dock/<uuid:session>/", agent.dock_fragment),
    path("agent/data", actions.data),
    path("agent/reread", actions.reread),
    path("agent/create", actions.create),
    path("agent/message", actions.message),
    path("agent/stop", actions.stop),
    path("agent/toggle", actions.turn_theme),
    path("sessions/", sessions.sessions),
    path("sessions/<uuid:session>/rename", sessions.rename),
    path("sessions/<uuid:session>/delete", sessions.delete),
    path("sessions/<uuid:session>/versions/<int:version>/thumbnail-<slug:theme>.webp", previews.thumbnail),
    path("debug/agent", debug.agent),
    path("debug/agent/sessions/<uuid:session>/versions/<int:version>/render", debug.render_theme),
]
