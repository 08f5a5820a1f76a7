"""`polymask styles`: the same mask in three styles, as a page."""

import click

from polymask.cli.places import FILE, check_written
from polymask.cli.terminal import wrote


@click.command()
@click.argument("page", metavar="PAGE.html", type=FILE)
def styles(page):
    """Write a page with the code of the mask in array, loop and kernel style, side by side."""
    from polymask.report.page import three_styles  # takes a while, which other commands need not

    check_written("styles", page, [])
    three_styles.write(page)
    wrote(page)
