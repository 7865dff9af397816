/// The texts that agents and simulated users get before the first word. The
/// instructions are Brewery's; policies and guidelines come from the data.

#include "envs/tau2/data/text_file.hpp"
#include "envs/tau2/domain_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::tau2 {

namespace {

constexpr std::string_view talk_instructions =
    "You work at a company's customer desk and talk with one customer.{}\n"
    "Each of your moves is one of two things: words for the customer, or calls "
    "of tools. Never put both into one move; words beside calls do not reach "
    "the customer.\n"
    "The customer ends the conversation, not you. Take facts from the tools "
    "and from the customer only, and give tools arguments that are valid JSON.";

constexpr std::string_view solo_instructions =
    "You work at a company's customer desk and settle one ticket.{}\n"
    "There is nobody to talk to: every move of yours is a call of tools, and "
    "words without a call break the attempt off. You also hold the customer's "
    "device: its tools are yours.\n"
    "When nothing more is to be done, call `done`, alone. Take facts from the "
    "ticket and the tools only, and give tools arguments that are valid JSON.";

constexpr std::string_view policy_binds =
    " The policy below is binding: do what it allows, refuse what it forbids.";

std::string instructions(bool solo, bool has_policy) {
  const auto binds = has_policy ? policy_binds : std::string_view{};
  return solo ? fmt::format(solo_instructions, binds)
              : fmt::format(talk_instructions, binds);
}

std::string tagged(std::string_view tag, std::string_view text) {
  return fmt::format("<{0}>\n{1}\n</{0}>", tag, text);
}

} // namespace

result<std::string> read_briefing(const domain_kind& kind,
                                  const std::filesystem::path& folder,
                                  play_mode mode) {
  const bool solo = mode == play_mode::solo;
  const auto& files = kind.policy(mode);
  if (files.empty())
    return error{ec::invalid_config,
                 fmt::format("{} cannot be played {}", kind.kind,
                             solo ? "solo: its tasks need a user to talk to"
                                  : "with a user")};
  const bool none =
      std::none_of(files.begin(), files.end(), [&](const policy_file& part) {
        std::error_code ignored;
        return std::filesystem::exists(folder / part.file, ignored);
      });
  if (solo && none) return tagged("instructions", instructions(solo, false));
  std::string policy;
  for (const auto& part : files) {
    const auto file = read_text_file(folder / part.file);
    if (!file) return file.error();
    if (!policy.empty()) policy += '\n';
    policy += part.tag.empty() ? file->text : tagged(part.tag, file->text);
  }
  return tagged("instructions", instructions(solo, true)) + "\n"
         + tagged("policy", policy);
}

std::filesystem::path guidelines_file(const std::filesystem::path& folder,
                                      bool with_tools) {
  return folder / ".." / ".." / "user_simulator"
         / (with_tools ? "simulation_guidelines_tools.md"
                       : "simulation_guidelines.md");
}

result<std::string> read_guidelines(const std::filesystem::path& folder,
                                    bool with_tools) {
  auto file = read_text_file(guidelines_file(folder, with_tools));
  if (!file) return file.error();
  return std::move(file->text);
}

} // namespace brewery::tau2
