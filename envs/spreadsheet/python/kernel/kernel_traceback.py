"""What a model needs of a traceback: where in its own cells, in which library
in the end, and what is wrong; not each frame of pandas in between."""

import linecache
import traceback

CELL_PREFIX = "<cell "
FRAMES_OF_CELLS = 8   # the first and the last half of more
MESSAGE_CHARACTERS = 4000
OWN = {"kernel_cell.py", "kernel_main.py"}  # what runs the cells


def remember_source(name, source):
    """So that tracebacks show the lines of a cell."""
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)


def _of_cell(frame):
    return frame.filename.startswith(CELL_PREFIX)


def _frames(trace):
    """Those worth showing, with an int for so many left out."""
    frames = list(traceback.extract_tb(trace, limit=-2000))
    frames = [frame for frame in frames if frame.filename not in OWN]
    own = [index for index, frame in enumerate(frames) if _of_cell(frame)]
    keep = set(own)
    if len(own) > FRAMES_OF_CELLS:
        half = FRAMES_OF_CELLS // 2
        keep = set(own[:half] + own[-half:])
    if frames:
        keep.add(len(frames) - 1)
    shown, left_out = [], 0
    for index, frame in enumerate(frames):
        if index not in keep:
            left_out += 1
            continue
        if left_out:
            shown.append(left_out)
            left_out = 0
        shown.append(frame)
    return shown


def _message(problem):
    try:
        lines = traceback.format_exception_only(type(problem), problem)
        text = "".join(lines)
    except BaseException as second:  # a __str__ of the model's own
        text = f"{type(problem).__name__}: <no text: {type(second).__name__}>\n"
    if len(text) > MESSAGE_CHARACTERS:
        half = MESSAGE_CHARACTERS // 2
        text = f"{text[:half]} [...] {text[-half:]}"
    return text


def shown(problem):
    """The text for the exception `problem`, raised by a cell."""
    lines = []
    frames = _frames(problem.__traceback__)
    if frames:
        lines.append("Traceback (most recent call last):\n")
    for frame in frames:
        if isinstance(frame, int):
            plural = "s" if frame > 1 else ""
            lines.append(f"  [... {frame} frame{plural} ...]\n")
        else:
            lines += traceback.format_list([frame])
    message = _message(problem)
    lines.append(message)
    earlier = problem.__cause__
    if earlier is None and not problem.__suppress_context__:
        earlier = problem.__context__
    if earlier is not None:
        cause = _message(earlier)
        if cause != message:
            lines.append("caused by " + cause)
    return "".join(lines)
