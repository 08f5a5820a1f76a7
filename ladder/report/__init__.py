"""Tables, plots and pictures of results; the numbers themselves are only in the JSON files."""
