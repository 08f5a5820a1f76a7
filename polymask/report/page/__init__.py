"""The page: a result in one HTML file, which needs no network and no JavaScript.

`page` gathers its content, and the templates lay it out.
"""
