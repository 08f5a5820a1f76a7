"""The course around the rungs: what measures, shows, profiles and teaches them, in a clone."""
