#include "run/setup/offered_environment.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "config/load.hpp"
#include "config/option.hpp"
#include "config/rules.hpp"
#include "envs/tau2/domain_kinds.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>

namespace brewery {

namespace {

std::string tau2_kinds() {
  std::vector<std::string> names;
  for (const auto& known : tau2::domain_kinds())
    names.emplace_back(known.kind);
  return join(names, "=DIRECTORY, ");
}

/// Reads a configuration file alone: this process's environment variables do
/// not apply to it.
result<config> options_in(const std::string& file, const std::string& kind) {
  const auto here = working_directory();
  if (!here) return here.error();
  const auto loaded = load_config({.file = file,
                                   .overrides = {},
                                   .environment = {},
                                   .working_directory = *here});
  if (!loaded.problems.empty()) return loaded.problems.front();
  for (const auto& hint : loaded.hints)
    spdlog::warn("{}", hint);
  if (loaded.value.environment.kind != kind)
    return error{ec::invalid_argument,
                 fmt::format("--env {}={}: the file is for the environment "
                             "'{}'",
                             kind, file, loaded.value.environment.kind)};
  if (const auto missing = missing_inputs(loaded); !missing.empty())
    return missing.front();
  return loaded.value;
}

/// The ending decides: a file that is not there must not be started as a
/// program. Only a command of several words may end in a file of its own.
bool is_toml_file(const std::string& text) {
  std::error_code ignored;
  return text.ends_with(".toml")
         && (text.find(' ') == std::string::npos
             || std::filesystem::is_regular_file(text, ignored));
}

bool has_no_data(const std::string& kind) {
  return kind == "toy" || kind == "plant";
}

error no_value(const std::string& text, const std::string& kind) {
  if (kind == "external")
    return {ec::invalid_argument,
            fmt::format("--env {}: the command is missing: external=COMMAND or "
                        "external=FILE.toml",
                        text)};
  return {ec::invalid_argument,
          fmt::format("--env {}: the data directory is missing: {}=DIRECTORY",
                      text, kind)};
}

/// A command or a directory, as the kind has it. `text` is the argument.
result<environment_options> options_of(const std::string& text,
                                       const std::string& kind,
                                       const std::string& value) {
  environment_options out;
  out.kind = kind;
  if (kind == "external") {
    out.external.command = {value};
  } else if (has_no_data(kind)) {
    if (!value.empty())
      return error{ec::invalid_argument,
                   fmt::format("--env {0}: {1} has no data: write --env {1}, "
                               "or {1}=FILE.toml for its options",
                               text, kind)};
  } else {
    out.data = std::filesystem::absolute(value);
    if (std::error_code ignored;
        !std::filesystem::is_directory(out.data, ignored))
      return error{ec::not_found,
                   fmt::format("--env {}: no such directory", text)};
  }
  return out;
}

} // namespace

result<offered_environment> parse_offer(const std::string& text) {
  const auto equals = text.find('=');
  offered_environment out{text.substr(0, equals), {}};
  const auto value = equals == std::string::npos ? "" : text.substr(equals + 1);
  const auto* kinds = find_option("environment.kind");
  if (std::find(kinds->choices.begin(), kinds->choices.end(), out.kind)
      == kinds->choices.end())
    return error{
        ec::invalid_argument,
        fmt::format("--env {}: unknown environment '{}'; there are "
                    "{}=DIRECTORY, spreadsheet=DIRECTORY, osworld=DIRECTORY, "
                    "external=COMMAND, tau2-official=CHECKOUT, toy and plant",
                    text, out.kind, tau2_kinds())};
  if (value.empty() && !has_no_data(out.kind)) return no_value(text, out.kind);
  if (is_toml_file(value)) {
    auto options = options_in(value, out.kind);
    if (!options) return options.error();
    out.options = std::move(options->environment);
    out.embedder = std::move(options->embedder);
    return out;
  }
  auto options = options_of(text, out.kind, value);
  if (!options) return options.error();
  out.options = std::move(*options);
  return out;
}

result<std::vector<offered_environment>>
parse_offers(const std::vector<std::string>& texts) {
  std::vector<offered_environment> out;
  for (const auto& text : texts) {
    auto offer = parse_offer(text);
    if (!offer) return offer.error();
    if (std::ranges::find(out, offer->kind, &offered_environment::kind)
        != out.end())
      return error{ec::invalid_argument,
                   fmt::format("--env {}: there is another --env {}, and one "
                               "process has one benchmark of a kind; give it "
                               "once",
                               text, offer->kind)};
    out.push_back(std::move(*offer));
  }
  return out;
}

} // namespace brewery
