"""What all rooms use: files and messages, errors, interrupts, and what is done once."""
