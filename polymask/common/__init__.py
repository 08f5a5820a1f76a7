"""What all rooms use: errors and their texts, figures, JSON, safe writing, standard input."""
