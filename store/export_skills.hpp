#pragma once
/// A knowledge base as agent skills: a folder per concept with a SKILL.md, as
/// coding agents load them. The front matter's `name` is the folder's name
/// (lower-case letters, digits and hyphens, at most 64), `description` says
/// when to use it (at most 1024 characters): the document's section "When to
/// use", or its title when there is none.

#include "kb/knowledge_base.hpp"

#include <filesystem>

namespace brewery {

struct skill {
  std::string name;
  std::string description;
  std::string text; ///< the whole SKILL.md
};

/// In concept order; names are made distinct with a number.
std::vector<skill> skills_of(const knowledge_base& kb);

/// Writes them below `dir`, which must not exist or be empty: else
/// ec::already_exists. ec::disk_full or ec::io leaves nothing behind.
result<void> export_skills(const std::filesystem::path& dir,
                           const knowledge_base& kb);

/// The text of a section as one line: from the heading or bold line that starts
/// with `title` (any case) to the next heading or bold line; empty when absent.
std::string section_text(std::string_view body, std::string_view title);

} // namespace brewery
