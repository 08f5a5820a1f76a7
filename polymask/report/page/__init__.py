"""The page: all that a result says in one HTML file, which needs no network and no JavaScript.

`page` puts it together; a module a drawing says where things lie, and the templates draw them.
"""
