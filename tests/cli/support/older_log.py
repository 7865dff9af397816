"""A log as an older release wrote it."""

import shutil
import sqlite3
import zlib
from contextlib import closing


def without(run, older, *kinds):
    """Copies a run that is over; its log has no events of these kinds then."""
    shutil.copytree(run, older)
    with closing(sqlite3.connect(older / "events.db")) as db:
        rows = db.execute("SELECT kind, key, size, payload FROM events "
                          "ORDER BY seq").fetchall()
        names = [name for name, in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'")]
        for name in names:
            db.execute(f"DROP TRIGGER {name}")
        db.execute("DELETE FROM events")
        kept = [row for row in rows if row[0] not in kinds]
        for seq, (kind, key, size, payload) in enumerate(kept, 1):
            head = b"".join(text.encode() + b"\0"
                            for text in (f"{seq} {size}", kind, key))
            db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)",
                       (seq, kind, key, size, payload,
                        zlib.crc32(head + payload)))
        db.commit()
    (older / "events.ack").unlink(missing_ok=True)
    return len(rows) - len(kept)
