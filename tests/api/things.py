"""Something of a person's for each operation to be about."""

from dataclasses import dataclass
from typing import Any

from django.core.files.base import ContentFile

from agents_app.catalogue.catalogue import get_spec
from agents_app.models import Artifact, Dataset, Session, Turn, Version
from agents_app.queue.admission import answer
from agents_app.recipe.build import initial
from agents_app.services.start import start
from agents_app.services.upload import upload

PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de")
TABLE = (
    "species,bill_length_mm,bill_depth_mm\nAdelie,39.1,18.7\nAdelie,39.5,17.4\nGentoo,46.1,13.2\nGentoo,50.0,16.3\n"
    "Chinstrap,46.5,17.9\nChinstrap,50.0,19.5\n"
)


@dataclass(frozen=True)
class Things:
    """A person's data set, session, finished version with a light picture, and turn."""

    dataset: Dataset
    session: Session
    version: Version
    turn: Turn

    def path(self, template: str) -> str:
        """An operation's path with these things in it."""
        return (
            template.replace("{dataset}", str(self.dataset.id))
            .replace("{session}", str(self.session.id))
            .replace("{turn}", str(self.turn.id))
            .replace("{number}", "1")
            .replace("{theme}", "light")
            .replace("{ending}", "png")
        )


def make_things(owner: Any) -> Things:
    """A data set, a session on it with one version, and a turn that was answered at once."""
    dataset = upload(owner, data=TABLE.encode(), how="paste", name="penguins")
    session = start(owner, spec="scatter-basic", library="matplotlib", dataset=dataset)
    turn = answer(
        session=session, owner=owner, text="what is this?", message={"text": "A plot."}, outcome="not_understood"
    )
    recipe = initial(get_spec("scatter-basic"), "matplotlib", session.bindings, dataset.columns, "light")
    version = Version(
        session=session,
        number=1,
        status="ok",
        theme="light",
        spec=session.spec,
        library=session.library,
        recipe=recipe.as_json(),
        columns=dataset.columns,
        changes=["Bound three columns."],
        rows={"total": 6, "used": 6, "dropped": 0, "reasons": []},
    )
    version.script.save("plot.py", ContentFile(b"print('a plot')\n"), save=False)
    with dataset.canonical.open() as canonical:
        version.data.save("data.csv", ContentFile(canonical.read()), save=False)
    version.save()
    artifact = Artifact(version=version, theme="light", status="ok", width=3200, height=1800, bytes=len(PNG))
    artifact.file.save("plot-light.png", ContentFile(PNG), save=True)
    return Things(dataset, session, version, turn)
