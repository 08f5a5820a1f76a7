"""Masks that are left on a device: calls without the copy to the host, for rungs that offer them.

Such a call does less work, so its times are kept apart from those of whole calls.
"""

from ladder.bench import rounds
from ladder.bench.measurement import Measurement, count_wrong

SAMPLES = 7


def measure(rows, expected, progress):
    """Check the mask that each row's `leave_mask` leaves on the device, and record samples."""
    able = [row for row in rows if row.leave_mask and row.status == "ok" and not row.slow]
    if not able:
        return
    progress.begin("masks left on the device", len(able))
    for row in able:
        timed = Measurement(row.key, "left", call=row.leave_mask)
        wrong = count_wrong(timed.call().get(), expected)
        if wrong:
            row.fail(f"{wrong} pixels of the mask left on the device differ from the reference")
        else:
            rounds.find_pace(timed)
            row.left_samples = [timed.take_sample()[0] for _ in range(SAMPLES)]
        progress.advance(1)
