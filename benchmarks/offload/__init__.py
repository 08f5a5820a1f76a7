"""What the offload runtime costs."""
