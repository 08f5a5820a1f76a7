"""What all rooms use: files and messages, errors, and what is done once."""
