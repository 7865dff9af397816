#pragma once
/// All prompts of the roles. The built-in ones are from config/prompts; a file
/// of the same name in a user's directory replaces one. Immutable after
/// loading; shared by all roles.

#include "roles/prompts/prompt.hpp"

#include <filesystem>

namespace brewery {

/// All prompts with their slots.
const std::vector<prompt_spec>& prompt_specs();

class prompt_set {
public:
  /// `dir` may contain any of the files NAME.md; empty: only built-in prompts.
  /// Error ec::not_found: the directory does not exist. Error
  /// ec::invalid_config: a .md file has no prompt's name. Error ec::malformed:
  /// a file cannot be used. The message names the file.
  static result<prompt_set> load(const std::filesystem::path& dir = {});

  /// Fills the slots of a prompt. If it shows text from outside, the rule about
  /// such text (data-rule.md) is added to the system section, or before the
  /// user section if there is none.
  [[nodiscard]] filled_prompt fill(const std::string& name,
                                   const slot_texts& with) const;

  /// The first prompt of a conversation, whose later turns show text from
  /// outside in blocks of the same tag: `marker`. The rule is always added.
  [[nodiscard]] filled_prompt fill(const std::string& name,
                                   const slot_texts& with,
                                   const std::string& marker) const;

  /// A tag for such a conversation. Neither the texts of its first prompt
  /// contain it nor `later`, all that later turns may show in blocks.
  [[nodiscard]] std::string
  choose_marker(const std::string& name, const slot_texts& with,
                const std::vector<std::string_view>& later) const;

  /// The user section of a prompt as part of a later turn: without the rule.
  [[nodiscard]] std::string later_turn(const std::string& name,
                                       const slot_texts& with,
                                       const std::string& marker) const;

  /// Equal if the effective texts of these prompts and of the rule are equal.
  [[nodiscard]] std::string
  fingerprint(const std::vector<std::string>& names) const;

private:
  [[nodiscard]] const prompt& get(const std::string& name) const;

  std::map<std::string, prompt> prompts_;
};

} // namespace brewery
