#include "run/setup/child_environment.hpp"

#include "messages/json.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace brewery {

namespace fs = std::filesystem;

namespace {

/// What a program needs to run at all. Keys and tokens are not included; to
/// pass one, the user names it.
constexpr const char* always_passed[] = {"PATH", "HOME", "LANG", "TMPDIR"};

using variables = std::vector<std::pair<std::string, std::string>>;

/// `table` is the options table with the names, "external".
result<variables> passed(const child_settings& child,
                         const std::string& table) {
  variables out;
  for (const auto* name : always_passed)
    if (const char* value = std::getenv(name)) out.emplace_back(name, value);
  for (const auto& name : child.pass_env) {
    const char* value = std::getenv(name.c_str());
    if (!value)
      return error{ec::invalid_config,
                   fmt::format("environment.{}.pass_env names {}, which is not "
                               "set in the environment of this process",
                               table, json_quoted(name))};
    out.emplace_back(name, value);
  }
  return out;
}

/// An installed package of the interpreter works too.
void add_package(variables& to) {
  std::error_code ignored;
  const std::string path =
      python_package({.built_from = BREWERY_PYTHON_PACKAGE,
                      .installed = BREWERY_DATA_FROM_PROGRAM "/envs/python",
                      .program = fs::read_symlink("/proc/self/exe", ignored)});
  if (path.empty()) return;
  for (auto& [name, value] : to)
    if (name == "PYTHONPATH") {
      value.insert(0, path + ':');
      return;
    }
  to.emplace_back("PYTHONPATH", path);
}

std::vector<std::string> official_words(const environment_options& options) {
  const auto& official = options.tau2_official;
  std::vector<std::string> out{official.python,
                               "-m",
                               "brewery_env.tau2_official",
                               "--checkout",
                               options.data.string(),
                               "--domain",
                               official.domain};
  if (!official.user_model.empty()) {
    out.emplace_back("--user-model");
    out.push_back(official.user_model);
  }
  return out;
}

/// A program that is not there is the option's error, before anything starts.
result<void> check_program(const child::child_command& command,
                           std::string_view option) {
  const auto refuse = [&](const std::string& why) {
    return error{ec::not_found,
                 fmt::format("{} = {}: {}", option,
                             json_quoted(command.words.front()), why)};
  };
  const auto program = child::find_program(command);
  if (!program) return refuse(program.error().message);
  if (::access(program->c_str(), X_OK) != 0)
    return refuse(fmt::format("the program {} cannot be started: {}", *program,
                              std::strerror(errno)));
  return {};
}

} // namespace

fs::path python_package(const package_places& places) {
  std::error_code ignored;
  const auto has_it = [&](const fs::path& folder) {
    return fs::is_directory(folder / "brewery_env", ignored);
  };
  const auto beside = places.program.parent_path();
  if (!places.program.empty()) {
    const auto installed = (beside / places.installed).lexically_normal();
    if (has_it(installed)) return installed;
  }
  if (has_it(places.built_from)) return places.built_from;
  // CHECKOUT/build/PRESET/cli/brewery.
  const auto moved = (beside / "../../../envs/python").lexically_normal();
  return !places.program.empty() && has_it(moved) ? moved : fs::path{};
}

result<std::vector<std::string>>
command_words(const std::vector<std::string>& command,
              std::string_view option) {
  if (command.size() != 1) return command;
  std::vector<std::string> out;
  std::string word;
  bool inside = false; // of a word
  char quote = 0;
  const auto& text = command.front();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      inside = true;
    } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? '\0' : c;
      inside = true;
    } else if (quote == 0 && (c == ' ' || c == '\t')) {
      if (inside) out.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (quote != 0)
    return error{ec::invalid_config,
                 fmt::format("{} = {}: a {} without its other one", option,
                             json_quoted(text), quote)};
  if (inside) out.push_back(std::move(word));
  if (out.empty() || out.front().empty())
    return error{ec::invalid_config, fmt::format("{} = {}: names no program",
                                                 option, json_quoted(text))};
  return out;
}

result<external::external_options>
child_options(const environment_options& options) {
  external::external_options out;
  const bool official = options.kind == "tau2-official";
  if (official) {
    out.command.words = official_words(options);
  } else {
    auto words =
        command_words(options.external.command, "environment.external.command");
    if (!words) return words.error();
    out.command.words = std::move(*words);
    out.command.directory = options.data;
  }
  const auto& child =
      official ? options.tau2_official.child : options.external.child;
  auto seen = passed(child, options.table());
  if (!seen) return seen.error();
  out.command.variables = std::move(*seen);
  // Programs of the examples and of users find the package too.
  add_package(out.command.variables);
  if (auto ok = check_program(out.command,
                              official ? "environment.tau2_official.python"
                                       : "environment.external.command");
      !ok)
    return ok.error();
  out.start_timeout = std::chrono::milliseconds{child.start_timeout_ms};
  out.step_timeout = std::chrono::milliseconds{child.step_timeout_ms};
  out.grade_timeout = std::chrono::milliseconds{child.grade_timeout_ms};
  out.log = [](const std::string& line) { spdlog::info("{}", line); };
  out.warn = [](const std::string& line) { spdlog::warn("{}", line); };
  return out;
}

} // namespace brewery
