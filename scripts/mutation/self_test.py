"""What the generator of mutations finds, and what it leaves alone."""

from mutation.generate import SELECTOR, combined, mutations_of

CASES = [  # (rule, source, what is found)
    ("comparisons, joins and negations",
     "bool f(int a) {\n  return a < 3 && !g(a);\n}\n",
     ["2 < -> <=", "2 && -> ||", "2 ! ->  "]),
    ("template brackets and arrows are no comparisons",
     "void f() {\n  std::vector<int> a = b->c<d>();\n}\n", []),
    ("comments, texts and directives are no code",
     "void f() {\n  // a < b\n  g(\"a < b\", 'x');\n#if 1\n#endif\n}\n",
     ["3 statement -> dropped"]),
    ("declarations are left alone",
     "struct s {\n  int a = 0;\n  bool b() const { return 1; }\n};\n"
     "constexpr int limits{0};\n", ["3 1 -> 0"]),
    ("a constructor's body comes after its initialisers",
     "s::s(int a) : a_{0}, b_(1) {\n  ++c_;\n}\n",
     ["1 0 -> 1", "2 ++ -> --", "2 statement -> dropped"]),
    ("conditions are negated after what they declare",
     "void f() {\n  if (auto a = g(); a == 2) return;\n"
     "  if (const auto* b = h()) return;\n}\n",
     ["2 condition -> negated", "2 == -> !="]),
    ("statements are dropped, declarations and returns are not",
     "int f() {\n  int a = 2;\n  a = 3;\n  b.push_back(a);\n  return h(a);\n}\n",
     ["3 statement -> dropped", "4 statement -> dropped"]),
    ("digits inside of numbers and names stay",
     "double f() {\n  return x1 + 0.5 + 10 + 1'000;\n}\n",
     ["2 + -> -", "2 + -> - #2", "2 + -> - #3"]),
    ("what is added to a text is not subtracted",
     "auto f() {\n  return \"a\" + b;\n}\n", []),
    ("loops go on instead of ending",
     "void f() {\n  for (;;) {\n    if (std::min(a, b)) continue;\n"
     "    break;\n  }\n}\n",
     ["3 condition -> negated", "3 min -> max", "3 continue -> break",
      "4 break -> continue"]),
    ("assertions hold anyway",
     "void f() {\n  static_assert(1 < 2);\n  BREWERY_ASSERT(a < 1);\n}\n", []),
    ("room for more is not seen by anyone",
     "void f() {\n  a.reserve(b);\n}\n", []),
]


def self_test():
    failed = 0
    for rule, source, expected in CASES:
        found = [f"{m.line} {m.change}" for m in mutations_of("a.cpp", source)]
        if found != expected:
            failed += 1
            print(f"FAILED {rule}: expected {expected}, found {found}")
    source = "bool f() {\n  return a < b;\n}\n"
    found = mutations_of("a.cpp", source)
    if found[0].apply(source) != source.replace("<", "<="):
        failed += 1
        print("FAILED a mutation changes its place only")
    both = combined(source, found)
    if not (both.startswith(SELECTOR) and "{\n  return a < b;\n}" in both
            and "== 1) {\n  return a <= b;\n} else" in both):
        failed += 1
        print(f"FAILED a combined source has both bodies: {both}")
    print(f"{len(CASES) + 2 - failed} of {len(CASES) + 2} cases passed")
    return failed
