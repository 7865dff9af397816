#pragma once
/// The two kinds of sentences in a document that the procedural integrator
/// writes and the procedural agent follows. The agent ignores everything else
/// in a document. Grammar (LOOK and CALL are calls in backticks, TEXT is a JSON
/// string):
///
///   rule  When LOOK shows TEXT [and LOOK shows TEXT]... [and the task says
///         TEXT]...: call CALL [, then CALL]... . [Expect TEXT.]
///   goal  Done when LOOK shows TEXT [and the task says TEXT]... .
///
/// They may be anywhere in a line, e.g. after "1. " or "- ".

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// "LOOK shows TEXT": `observation` is a call in text form, `line` a status
/// line.
struct condition {
  std::string observation;
  std::string line;
  bool operator==(const condition&) const = default;
};

struct rule {
  std::vector<condition> when;      ///< at least one; all must hold
  std::vector<std::string> clauses; ///< all must be in the task's instruction
  std::vector<std::string> calls;   ///< in order, at least one
  std::string expect; ///< expected status line afterwards; may be empty
  bool operator==(const rule&) const = default;
};

struct goal {
  condition shows;
  std::vector<std::string> clauses;
  bool operator==(const goal&) const = default;
};

/// The rules and goals of a document, with the 1-based body line of each.
struct guidance {
  struct placed_rule {
    rule content;
    std::uint32_t line = 0;
    std::string text; ///< the sentence; equal texts are equal rules
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

/// Parses all rules and goals of a document; ignores other text.
guidance read_guidance(std::string_view body);

} // namespace brewery
