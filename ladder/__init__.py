"""The course around the rungs: what measures, shows, profiles and teaches them, in a clone."""

from ladder.common import staleness

staleness.guard()
