"""Charts: each is drawn here, once, for files, notebooks and the page."""
