#pragma once
/// All prompts of the roles: the ones compiled in from config/prompts, each of
/// which a file of the same name in a user's directory replaces. Immutable
/// after loading; shared by all roles.

#include "roles/prompt.hpp"

#include <filesystem>

namespace brewery {

/// Every prompt there is, with its slots.
const std::vector<prompt_spec>& prompt_specs();

class prompt_set {
public:
  /// `dir`: may hold some or all of the files NAME.md; empty: none. Errors name
  /// the file: ec::not_found for a directory that is not there,
  /// ec::invalid_config for a .md file that is no prompt's, ec::malformed for
  /// one that cannot be used.
  static result<prompt_set> load(const std::filesystem::path& dir = {});

  /// A prompt with its slots filled. Where text from outside is shown, the rule
  /// about it (data-rule.md) is added: to the system section, or before the
  /// user's if there is no other.
  [[nodiscard]] filled_prompt fill(const std::string& name,
                                   const slot_texts& with) const;

  /// Equal for equal effective texts of these prompts and of the rule.
  [[nodiscard]] std::string
  fingerprint(const std::vector<std::string>& names) const;

private:
  [[nodiscard]] const prompt& get(const std::string& name) const;

  std::map<std::string, prompt> prompts_;
};

} // namespace brewery
