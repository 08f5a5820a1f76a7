"""Files that a proof of the workshop's check covers, besides those of its test."""

CODE = "ladder/workshop/sandbox/**/*", "ladder/workshop/student/*.py"
JUDGE = *CODE, "[0-9]_*/exercises/**/*"
