"""The JSON API: which router answers where."""

from ninja import NinjaAPI
from ninja.errors import ValidationErrorContext

from agents_app import __version__
from agents_app.api import errors
from agents_app.api.auth import CREDENTIALS
from agents_app.api.reading import StrictParser, StrictRenderer
from agents_app.api.routers import access, catalogue, datasets, sessions, status, turns, versions
from agents_app.refusals import Invalid


class Api(NinjaAPI):
    """Ninja, with its field errors in our shape."""

    def validation_error_from_error_contexts(self, error_contexts: list[ValidationErrorContext]) -> Invalid:  # type: ignore[override]
        """One refusal that names each field that is missing, unknown or out of range."""
        found = []
        for context in error_contexts:
            model = context.model
            names = getattr(model, "__ninja_flatten_map_reverse__", {})
            inner = getattr(model, "__read_from_single_attr__", None)  # a body's own name is not the caller's
            body = model.model_fields[inner].annotation if inner else None
            for error in context.pydantic_validation_error.errors(include_url=False):
                location = names.get(error["loc"], error["loc"])
                if inner and location[:1] == (inner,):
                    location = location[1:]
                found.append(({**error, "loc": location}, body if isinstance(body, type) else None))
        return errors.invalid_fields(found)


api = Api(
    title="anyplot agents",
    version=__version__,
    description="Makes the plot a person wants from the table they have.",
    urls_namespace="v1",
    auth=CREDENTIALS,
    parser=StrictParser(),
    renderer=StrictRenderer(),
)
errors.register(api)
api.add_router("", status.router)
api.add_router("", catalogue.router)
api.add_router("/auth", access.router)
api.add_router("/datasets", datasets.router)
api.add_router("/sessions", sessions.router)
api.add_router("/sessions", versions.router)
api.add_router("/turns", turns.router)
