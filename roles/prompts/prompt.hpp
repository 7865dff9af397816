#pragma once
/// A prompt: a Markdown file with named slots, checked when it is loaded.
///
///   <!-- what it is for; not sent -->
///   <!-- system -->
///   You rate ... {{rubrics}}
///   {{#notes}}
///   Only if there are notes:
///   {{notes}}
///   {{/notes}}
///   <!-- user -->
///   {{steps}}
///
/// A section begins with its comment, alone on a line. Text before the first
/// section is for readers. A slot of kind `data` or `given` is alone on its
/// line: its texts come from outside the program, and are shown between tags
/// that none of them contains.

#include "base/result.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

enum class slot_kind : std::uint8_t {
  text, ///< text of the program, inserted unchanged
  data, ///< from outside: each text in a separate block
  /// From the benchmark: rules, tools, guidelines. The prompt says what force
  /// they have. Their tag depends on their text alone, so the prompts of all
  /// rollouts that share them begin alike.
  given,
  flag, ///< not shown; only switches a {{#block}}
};

struct prompt_slot {
  std::string name; ///< letters and '_'
  slot_kind kind = slot_kind::text;
};

/// The slots that the program fills. The file must use each of them.
struct prompt_spec {
  std::string name; ///< of the file, without ".md"
  std::vector<prompt_slot> slots;
};

/// Texts by slot. A slot that is absent or has no text is empty, and its blocks
/// are left out. Several texts of a text slot are joined by line feeds.
using slot_texts = std::map<std::string, std::vector<std::string>>;

struct filled_prompt {
  std::string system; ///< empty: the prompt has no such section
  std::string user;
};

class prompt {
public:
  /// Error ec::malformed: an unknown, missing or misplaced slot, a block
  /// without an end, or a section that is unknown, empty or repeated. The
  /// message names `file` and the line.
  static result<prompt> parse(const prompt_spec& spec, std::string_view text,
                              std::string_view file);

  /// Fills the slots. `marker` tags the blocks of data; see choose_marker.
  /// Every slot of `with` must be in the spec.
  [[nodiscard]] filled_prompt fill(const slot_texts& with,
                                   std::string_view marker) const;

  /// The texts of `with` that will be shown in blocks of data.
  [[nodiscard]] std::vector<std::string_view>
  data_of(const slot_texts& with) const;

  /// Content hash of everything that can be sent.
  [[nodiscard]] const std::string& hash() const { return hash_; }

private:
  enum class piece_kind : std::uint8_t { words, slot, open, close };
  struct piece {
    piece_kind what = piece_kind::words;
    std::string text; ///< of words; otherwise the slot's name
  };
  using section = std::vector<piece>;
  class reader;

  [[nodiscard]] slot_kind kind_of(const std::string& slot) const;
  [[nodiscard]] std::string fill(const section& part, const slot_texts& with,
                                 std::string_view marker) const;

  std::map<std::string, slot_kind> slots_;
  section system_, user_;
  std::string hash_;
};

/// The tag of data blocks: "data-" and hex digits from a hash of the texts.
/// None of the texts contains it, in upper or lower case, and none of `later`.
/// More digits are tried if short tags are all taken.
std::string choose_marker(const std::vector<std::string_view>& texts,
                          std::size_t digits = 12,
                          const std::vector<std::string_view>& later = {});

/// The tag of a block of kind `given`: the same, with "given-".
std::string tag_of_given(const std::vector<std::string>& texts);

} // namespace brewery
