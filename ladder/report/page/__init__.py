"""The page: results in one HTML file that needs neither a network nor JavaScript.

`page` gathers the content, and the templates lay it out.
"""
