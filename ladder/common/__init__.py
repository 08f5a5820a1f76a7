"""What all rooms of the ladder use: records, staleness, intervals, the load of the machine."""
