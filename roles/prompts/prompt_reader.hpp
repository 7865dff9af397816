#pragma once
/// Parses the text of a prompt file. Used only by prompt.cpp.

#include "roles/prompts/prompt.hpp"

#include <optional>
#include <set>

namespace brewery {

class prompt::reader {
public:
  reader(const prompt_spec& spec, std::string_view file)
      : spec_(spec), file_(file) {}

  result<prompt> read(std::string_view text);

private:
  void read_line(std::string_view line);
  void begin_section(std::string_view name);
  void mark_block(std::string_view tag);
  void read_slots(std::string_view line);
  void add_slot(const std::string& name, bool alone);
  void add_words(std::string_view text);
  void check_complete();
  /// Stores the first failure only.
  void fail(std::string what);
  [[nodiscard]] bool known(std::string_view slot);

  const prompt_spec& spec_;
  std::string_view file_;
  prompt made_;
  section* part_ = nullptr; ///< null: before the first section
  std::set<std::string> sections_, shown_, asked_;
  std::string block_; ///< the block that is open; empty: none
  std::size_t line_ = 0;
  std::optional<std::string> failure_;
};

} // namespace brewery
