"""Files that a proof of the workshop's check covers, besides those of its test."""

CODE = "polymask/workshop/sandbox/**/*", "polymask/workshop/student/*.py"
JUDGE = *CODE, "[0-9]_*/exercises/**/*"
