"""What a proof of the workshop's check is of, besides the files of its test."""

CODE = "polymask/workshop/sandbox/**/*", "polymask/workshop/student/*.py"
JUDGE = *CODE, "[0-9]_*/exercises/**/*"
