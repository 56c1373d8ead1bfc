"""A process that has one script rendered and prints what it was told, as JSON. Run by `deployment.py`."""

import json
import os
import sys

sys.path.insert(0, os.getcwd())
os.environ["DJANGO_SETTINGS_MODULE"] = "anyplot_site.settings"


def main() -> None:
    """Ask for `argv[1]`: code, and perhaps purpose, wait_s, wall_s, cancel_after (looks)."""
    import django

    django.setup()
    from renderer_app.backends import backend
    from renderer_app.contract import Limits, Purpose, RendererBusy, RendererUnavailable, RenderJob

    asked = json.loads(sys.argv[1])
    looks = iter(range(asked.get("cancel_after", 10**9)))
    job = RenderJob("person", "light", asked["code"], b"a,b\n1,2\n", limits=Limits(wall_s=asked.get("wall_s", 60)))
    try:
        result = backend().render(
            job,
            purpose=Purpose(asked.get("purpose", "pipeline")),
            wait_s=asked.get("wait_s", 60),
            canceled=lambda: next(looks, None) is None,
        )
    except (RendererBusy, RendererUnavailable) as problem:
        told = {"raised": type(problem).__name__, "detail": str(problem)}
    else:
        told = {
            "ok": result.ok,
            "reason": result.reason,
            "detail": result.detail,
            "size": [result.width, result.height],
            "bytes": len(result.picture or b""),
            "marks": (result.probe or {}).get("marks_total"),
            "output": result.output,
        }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
