"""A log as an older release wrote it, or a foreign one."""

import shutil
import sqlite3
import zlib
from contextlib import closing


def without(run, older, *kinds):
    """Copies a run that is over; its log has no events of these kinds then."""
    return rewritten(run, older, lambda kind, payload:
                     None if kind in kinds else payload)


def rewritten(run, other, change):
    """Copies a run that is over. `change` gives what its log has instead of an
    event's payload then; None: no such event. Returns how many are gone."""
    shutil.copytree(run, other)
    with closing(sqlite3.connect(other / "events.db")) as db:
        rows = db.execute("SELECT kind, key, size, payload FROM events "
                          "ORDER BY seq").fetchall()
        names = [name for name, in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'")]
        for name in names:
            db.execute(f"DROP TRIGGER {name}")
        db.execute("DELETE FROM events")
        made = [(*row, change(row[0], row[3])) for row in rows]
        kept = [row for row in made if row[4] is not None]
        for seq, (kind, key, size, before, payload) in enumerate(kept, 1):
            if payload != before:  # it is not compressed then
                size = len(payload)
            head = b"".join(text.encode() + b"\0"
                            for text in (f"{seq} {size}", kind, key))
            db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)",
                       (seq, kind, key, size, payload,
                        zlib.crc32(head + payload)))
        db.commit()
    (other / "events.ack").unlink(missing_ok=True)
    return len(rows) - len(kept)
