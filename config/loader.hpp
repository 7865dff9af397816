#pragma once
/// Merges the sources of a configuration; later ones take precedence. Private
/// to config/load*.cpp, which use one loader per load.

#include "base/toml_reader.hpp"
#include "config/load.hpp"
#include "config/moved_options.hpp"

#include <set>

namespace brewery {

class loader {
public:
  explicit loader(const load_request& request) : request_(request) {}

  void add_file(std::string_view text);
  void add_variable(const std::string& name, const std::string& text);
  void add_override(const std::string& assignment);
  void add_problem(ec code, std::string message) {
    out_.problems.push_back({code, std::move(message)});
  }
  /// The file's values are unknown, so rules between options are not checked.
  void add_unreadable_file(ec code, std::string message) {
    add_problem(code, std::move(message));
    out_.file_read = false;
  }
  /// Only keys of the same source can contradict each other.
  void next_source() { said_.clear(); }
  loaded_config finish();

private:
  struct source {
    std::string where;                 ///< for problems: "a.toml:3:1", "--set"
    std::string origin;                ///< for `--origin`: "a.toml:3", "--set"
    std::filesystem::path base;        ///< base of relative paths
    const moved_option* old = nullptr; ///< set if the key is an old one
  };
  /// The value of an option in the current source.
  struct said {
    source from;
    option_value value;
  };
  struct use_of_old_key {
    const moved_option* what;
    std::string origin;
  };

  /// Assigns an option by its current or old key. False if no option has it.
  template <class Assign>
  bool assign_key(const std::string& section, const std::string& name,
                  source from, Assign assign_one);
  bool assign(const option& item, const toml_value& value, const source& from);
  bool assign_text(const option& item, const std::string& text,
                   const source& from);
  void note(const option& item, const option_value& value, const source& from);
  void settle_old_keys();
  void add_hints();
  void resolve_default_paths();
  void check_rules();
  void invalid(std::string message) {
    add_problem(ec::invalid_config, std::move(message));
  }

  const load_request& request_;
  loaded_config out_;
  std::set<std::string> unreadable_; ///< keys with refused values
  std::map<std::string, said> said_; ///< by key; of the current source
  std::vector<use_of_old_key> old_keys_;
  /// Options whose value came from an old key.
  std::map<std::string, const moved_option*> by_old_key_;
};

} // namespace brewery
