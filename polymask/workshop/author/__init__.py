"""What an author or an instructor uses: proofs of exercises, and the view of a class."""
