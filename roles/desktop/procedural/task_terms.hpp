#pragma once
/// What an agent without a language model takes from an instruction: its words,
/// and the texts that it quotes. Pure.

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace brewery::desktop {

struct task_terms {
  /// Lower case, without the most common ones and those of `texts`.
  std::set<std::string> words;
  std::vector<std::string> texts; ///< quoted ones and file names, in order
};

task_terms terms_of(std::string_view instruction);

struct likeness {
  double share = 0; ///< of the words of a name, those that the task has
  double score = 0; ///< the share, times their number: "Ordered List" is more
                    ///< like a task with both words than "List" is
};

/// Of an element's name. A word of `usual_key_for` does not count: a key does
/// it wherever the element is.
likeness likeness_to(const task_terms& task, std::string_view name);

/// What does on every desktop what the word says: "ctrl+s" for "save"; empty:
/// no key.
std::string_view usual_key_for(std::string_view word);

/// A text of the task as a placeholder: "text 1"; empty if it is none.
std::string placeholder_of(const task_terms& task, std::string_view text);

/// The text behind a placeholder; empty if the task has none such.
std::string filled(const task_terms& task, std::string_view placeholder);

} // namespace brewery::desktop
