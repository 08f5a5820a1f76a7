"""Tables, plots and pictures, all made from results: numbers stand in JSON, and only there."""
