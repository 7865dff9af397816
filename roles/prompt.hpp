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
/// A section begins with its comment, alone on a line; what stands before the
/// first is for readers. A slot of kind `data` is alone on its line: its texts
/// come from outside and are shown between tags that none of them contains.

#include "base/result.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

enum class slot_kind : std::uint8_t {
  text, ///< our own words, put in as they are
  data, ///< from outside: each text in a block of its own
  flag, ///< not shown; only says whether a {{#block}} is
};

struct prompt_slot {
  std::string name; ///< of letters and '_'
  slot_kind kind = slot_kind::text;
};

/// What the program fills in; the file has to use each of them.
struct prompt_spec {
  std::string name; ///< of the file, without ".md"
  std::vector<prompt_slot> slots;
};

/// Texts by slot. A slot that is absent or has no text is empty: its blocks are
/// left out. Of a text slot the texts are joined by line feeds.
using slot_texts = std::map<std::string, std::vector<std::string>>;

struct filled_prompt {
  std::string system; ///< empty: the prompt has no such section
  std::string user;
};

class prompt {
public:
  /// Errors name `file` and line: ec::malformed for an unknown, missing or
  /// misplaced slot, a block that does not end, a section that is unknown,
  /// empty or given twice.
  static result<prompt> parse(const prompt_spec& spec, std::string_view text,
                              std::string_view file);

  /// `marker` tags the blocks of data; see choose_marker. Every slot of `with`
  /// must be one of the spec's.
  [[nodiscard]] filled_prompt fill(const slot_texts& with,
                                   std::string_view marker) const;

  /// The texts of `with` that will stand in blocks of data.
  [[nodiscard]] std::vector<std::string_view>
  data_of(const slot_texts& with) const;

  /// Content hash of all that can be sent.
  [[nodiscard]] const std::string& hash() const { return hash_; }

private:
  enum class piece_kind : std::uint8_t { words, slot, open, close };
  struct piece {
    piece_kind what = piece_kind::words;
    std::string text; ///< of words; else the slot's name
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

/// The tag of data blocks, "data-" and hex digits: made from the texts'
/// content, and contained in none of them (whatever the case of its letters).
/// The fewer digits, the more likely that a first choice is taken.
std::string choose_marker(const std::vector<std::string_view>& texts,
                          std::size_t digits = 12);

} // namespace brewery
