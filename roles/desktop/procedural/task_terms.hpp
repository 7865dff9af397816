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

/// The share of the words of an element's name that the task has, from 0 to 1.
double likeness_to(const task_terms& task, std::string_view name);

/// A text of the task as a placeholder: "text 1"; empty if it is none.
std::string placeholder_of(const task_terms& task, std::string_view text);

/// The text behind a placeholder; empty if the task has none such.
std::string filled(const task_terms& task, std::string_view placeholder);

} // namespace brewery::desktop
