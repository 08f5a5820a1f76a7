"""What a proof of the workshop's check is of, besides the files of its test."""

JUDGE = (
    *("polymask/workshop/sandbox/**/*", "polymask/workshop/student/*.py"),
    "[0-9]_*/exercises/**/*",
)
