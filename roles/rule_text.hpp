#pragma once
/// The two sentences of a document that the procedural agent can follow, and
/// the procedural integrator writes. Everything else in a document is prose to
/// it. Grammar (LOOK and CALL are calls in backticks, TEXT is a JSON string):
///
///   rule  When LOOK shows TEXT [and LOOK shows TEXT]... [and the task says
///         TEXT]...: call CALL [, then CALL]... . [Expect TEXT.]
///   goal  Done when LOOK shows TEXT [and the task says TEXT]... .
///
/// They may stand anywhere in a line, e.g. behind "1. " or "- ".

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// "LOOK shows TEXT": `look` is a call in text form, `line` a status line.
struct condition {
  std::string look;
  std::string line;
  bool operator==(const condition&) const = default;
};

struct rule {
  std::vector<condition> when; ///< at least one; all must hold
  std::vector<std::string>
      clauses;                    ///< all must stand in the task's instruction
  std::vector<std::string> calls; ///< in order, at least one
  std::string expect;             ///< status line afterwards; may be empty
  bool operator==(const rule&) const = default;
};

struct goal {
  condition shows;
  std::vector<std::string> clauses;
  bool operator==(const goal&) const = default;
};

/// What a document tells, with the 1-based body line of each sentence.
struct guidance {
  struct placed_rule {
    rule content;
    std::uint32_t line = 0;
    std::string text; ///< the sentence itself: equal text, equal rule
  };
  struct placed_goal {
    goal content;
    std::uint32_t line = 0;
  };
  std::vector<placed_rule> rules;
  std::vector<placed_goal> goals;
};

std::string to_text(const rule& item);
std::string to_text(const goal& item);

/// Reads every rule and goal of a document; what does not parse is prose.
guidance read_guidance(std::string_view body);

} // namespace brewery
