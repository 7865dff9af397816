#pragma once
/// Exports a knowledge base as agent skills: one folder per concept with a
/// SKILL.md, which coding agents load. The front matter's `name` is the
/// folder's name (lower-case letters, digits and hyphens, at most 64). Its
/// `description` says when to use the skill (at most 1024 characters): the
/// document's section "When to use", or else its title. An experience of Agent
/// KB says its problem there, and leaves out the tasks that it is from; a
/// document of the memory of MUSE says what is in it.

#include "kb/knowledge_base.hpp"

#include <filesystem>

namespace brewery {

struct skill {
  std::string name;
  std::string description;
  std::string text; ///< the whole SKILL.md
};

/// One skill per concept, in concept order. A number makes equal names
/// distinct.
std::vector<skill> skills_of(const knowledge_base& kb);

/// Writes the skills to `dir`. Error ec::already_exists: `dir` exists and is
/// not empty. Errors ec::disk_full and ec::io leave no files behind.
result<void> export_skills(const std::filesystem::path& dir,
                           const knowledge_base& kb);

/// The text of a section as one line: from the heading or bold line that starts
/// with `title` (any case) to the next heading or bold line. Between items that
/// are no sentences stands a semicolon. Empty if absent.
std::string section_text(std::string_view body, std::string_view title);

} // namespace brewery
