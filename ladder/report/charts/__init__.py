"""Charts for files, notebooks and the page."""
