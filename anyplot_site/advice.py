"""What the person who starts the site should know, one line each: no sandbox, a setting that hurts.

`python -m anyplot_site.advice`, run by the supervisor once the site serves.
"""

import os

MARK = "anyplot: "


def lines() -> list[str]:
    """The warnings of the system checks, and why no plot can be drawn here if so."""
    from django.core.checks import run_checks

    from renderer_app.sandbox import check

    said = [f"{found.msg} {found.hint or ''}".strip() for found in run_checks()]
    sandbox = check.available()
    if not sandbox.ok:
        said.append(f"plots cannot be drawn on this machine: {sandbox.detail} {sandbox.remedy}".strip())
    return said


def main() -> None:
    """Print them."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "anyplot_site.settings")
    import django

    django.setup()
    for line in lines():
        print(MARK + " ".join(line.split()), flush=True)


if __name__ == "__main__":
    main()
