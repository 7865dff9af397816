"""Lists the single mutations of a C++ source file; `mutate.py --self-test`
checks it.

It knows no grammar: comments, literals, preprocessor lines and assertions are
blanked out, braces tell function bodies from declarations, and clang-format
tells an operator (blanks around it) from a template bracket. What it takes
wrongly for code does not compile and is not counted.
"""

import re
from dataclasses import dataclass

# Comments, raw strings, strings, characters; a digit separator is none.
LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![\w])'(?:\\.|[^'\\\n])+'", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
# What holds anyway, and room made before it is needed: nothing to observe.
ASSERTION = re.compile(r"\b(?:static_assert|BREWERY_ASSERT)\s*\([^;]*;")
INVISIBLE = re.compile(r"\.reserve\(")
SCOPE = re.compile(r"\b(namespace|struct|class|enum|union)\b")

# (what is matched in blanked text, replacement); group 1 is what is replaced.
SWAPS = [
    (r"\s(<)\s", "<="), (r"\s(<=)\s", "<"), (r"\s(>)\s", ">="),
    (r"\s(>=)\s", ">"), (r"\s(==)\s", "!="), (r"\s(!=)\s", "=="),
    (r"\s(&&)\s", "||"), (r"\s(\|\|)\s", "&&"),
    (r"[\w)\]]\s(\+)\s", "-"), (r"[\w)\]]\s(-)\s", "+"),
    (r"[\w)\]]\s(\*)\s", "/"), (r"[\w)\]]\s(/)\s", "*"),
    (r"\s(\+=)\s", "-="), (r"\s(-=)\s", "+="),
    (r"(\+\+)", "--"), (r"(--)", "++"),
    (r"(!)(?=[\w(*])", ""),
    (r"\b(true)\b", "false"), (r"\b(false)\b", "true"),
    (r"\b(break);", "continue"), (r"\b(continue);", "break"),
    (r"(?<![\w.'])(0)(?![\w.'])", "1"), (r"(?<![\w.'])(1)(?![\w.'])", "0"),
    (r"\bstd::(min)\b", "max"), (r"\bstd::(max)\b", "min"),
]
SWAPS = [(re.compile(pattern), new) for pattern, new in SWAPS]
CONDITION = re.compile(r"\b(?:if|while)\s*(\()")
# A statement of its own: a call, an assignment or a step, no declaration.
STATEMENT = re.compile(
    r"(?<=[;{})])\s*\n[ \t]*((?:\+\+|--)?[\w\]][\w.:\[\]>*-]*"
    r"(?:\([^;{}]*\)|\s[-+*/|&]?=\s[^;{}]*)?);", re.M)
NO_STATEMENT = re.compile(
    r"return\b|break$|continue$|using\b|throw\b|case\b|else\b|delete\b|goto\b")


@dataclass(frozen=True)
class Mutation:
    file: str
    line: int  # from 1, where it begins
    text: str  # that line, without indentation
    change: str  # "<old> -> <new>", " #2" for the second alike on its line
    start: int
    end: int
    new: str

    @property
    def key(self):
        """What stays when lines above come and go."""
        return (self.file, self.text, self.change)

    def apply(self, source):
        return source[:self.start] + self.new + source[self.end:]


def blanked(source):
    """The source with nothing left in it that is no code, at equal offsets."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    def literal(match):
        inside = match.group()
        if inside.startswith("/"):
            return blank(match)
        return '"' + re.sub(r"[^\n]", "_", inside[1:-1]) + '"'
    text = LITERAL.sub(literal, source)
    text = DIRECTIVE.sub(blank, text)
    text = ASSERTION.sub(blank, text)
    return text


def closing(text, at):
    """The offset of the bracket that closes the one at `at`."""
    pairs = {"(": ")", "{": "}"}
    depth, opens, closes = 0, text[at], pairs[text[at]]
    for i in range(at, len(text)):
        depth += (text[i] == opens) - (text[i] == closes)
        if depth == 0:
            return i
    return len(text) - 1


def bodies(text):
    """Ranges of function bodies in blanked text."""
    found = []
    at, since = 0, 0
    after_code = False
    while at < len(text):
        c = text[at]
        if c in ";}":
            since, after_code = at + 1, False
        elif c == "{":
            head = re.sub(r"template\s*<.*?>\s*(?=\w)", "", text[since:at],
                          flags=re.S)
            named = SCOPE.search(head)
            if named and "(" not in head[:named.start()]:
                since, after_code = at + 1, False
            else:
                end = closing(text, at)
                is_code = ")" in head or (after_code and not head.strip())
                if is_code:
                    found.append((at, end))
                at, since, after_code = end, end + 1, is_code
        at += 1
    return found


def mutations_of(file, source):
    """All mutations of a file, in the order of their places."""
    text = blanked(source)
    spans = []  # (start, end, new, name of the change)
    for start, end in bodies(text):
        body = text[start:end]
        for pattern, new in SWAPS:
            for match in pattern.finditer(body):
                a, b = start + match.start(1), start + match.end(1)
                beside = text[:a].rstrip()[-1:] + text[b:].lstrip()[:1]
                if match.group(1) == "+" and '"' in beside:
                    continue  # no text can be subtracted
                spans.append((a, b, new, f"{match.group(1)} -> {new or ' '}"))
        for match in CONDITION.finditer(body):
            a = start + match.start(1)
            b = closing(text, a)
            last = text.rfind(";", a, b)
            a = last if last > 0 else a
            inside = source[a + 1:b]
            if re.match(r"\s*(const\s+)?auto\b", inside):
                continue
            spans.append((a + 1, b, f"!({inside.strip()})",
                          "condition -> negated"))
        for match in STATEMENT.finditer(body):
            what = match.group(1)
            if (NO_STATEMENT.match(what) or INVISIBLE.search(what)
                    or not re.search(r"[(=]|\+\+|--", what)):
                continue
            spans.append((start + match.start(1), start + match.end(1), "",
                          "statement -> dropped"))
    out, seen = [], {}
    lines = source.split("\n")
    for start, end, new, change in sorted(spans):
        line = source.count("\n", 0, start) + 1
        alike = seen[line, change] = seen.get((line, change), 0) + 1
        if alike > 1:
            change += f" #{alike}"
        out.append(Mutation(file, line, lines[line - 1].strip(), change, start,
                            end, new))
    return out


SELECTOR = """#include <cstdlib>
inline int mutation_in_force() {
  static const char* const number = std::getenv("MUTATION");
  return number == nullptr ? 0 : std::atoi(number);
}
"""


def combined(source, mutations):
    """One source with all these mutations, of one file: MUTATION=n in the
    environment puts the n-th in force, from 1. Compilers name the n-th
    "mutation-n" in their errors. Mutations outside of bodies are left out."""
    out, at = [SELECTOR, '#line 1 "original"\n'], 0
    for start, end in bodies(blanked(source)):
        inside = [(n, m) for n, m in enumerate(mutations, 1)
                  if start <= m.start and m.end <= end]
        if not inside:
            continue
        out += [source[at:start], "{\n"]
        for n, m in inside:
            mutated = (source[start:m.start] + m.new
                       + source[m.end:end + 1])
            out += [f'#line 1 "mutation-{n}"\n',
                    f"if (mutation_in_force() == {n}) ", mutated, " else\n"]
        line = source.count("\n", 0, start) + 1
        out += [f'#line {line} "original"\n', source[start:end + 1], "}"]
        at = end + 1
    return "".join([*out, source[at:]])
