#include "roles/desktop/procedural/shell_commands.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace brewery::desktop {

namespace {

struct known_command {
  std::string_view words;
  std::uint32_t texts;
};

constexpr std::array<known_command, 13> known_commands{{{"mkdir", 1},
                                                        {"touch", 1},
                                                        {"rm", 1},
                                                        {"rmdir", 1},
                                                        {"gzip", 1},
                                                        {"chmod +x", 1},
                                                        {"chmod 600", 1},
                                                        {"chmod 444", 1},
                                                        {"cp -r", 2},
                                                        {"mv", 2},
                                                        {"ln -s", 2},
                                                        {"tar -czf", 2},
                                                        {"sort -o", 2}}};
constexpr std::array<const char*, 2> argument_names{"first", "second"};

/// A task quotes a text for a reason.
constexpr double uses_all_texts = 0.8;

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.'
         || c == '_' || c == '-' || c == '/';
}

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain))
    return std::string{text};
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return out + "'";
}

} // namespace

std::optional<call_text> random_command(const task_terms& task, rng& draw) {
  if (task.texts.empty()) return std::nullopt;
  const auto most =
      std::min<std::size_t>(task.texts.size(), argument_names.size());
  const auto least = draw.uniform() < uses_all_texts ? most : 1;
  std::vector<const known_command*> fit;
  for (const auto& each : known_commands)
    if (each.texts >= least && each.texts <= most) fit.push_back(&each);
  const auto& chosen = *fit[draw.below(fit.size())];
  call_text out{command_tool, {{"words", {}, std::string{chosen.words}}}};
  auto left = task.texts;
  for (std::uint32_t i = 0; i < chosen.texts; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(draw.below(left.size()));
    out.arguments.push_back(
        {argument_names.at(i), {}, left[static_cast<std::size_t>(at)]});
    left.erase(left.begin() + at);
  }
  return out;
}

std::string command_line(const call_text& move, const task_terms& task) {
  std::string out;
  for (const auto& argument : move.arguments) {
    const auto text = argument.placeholder.empty() && argument.value.is_string()
                          ? argument.value.get<std::string>()
                          : filled(task, argument.placeholder);
    if (text.empty()) return {};
    if (argument.name == "words")
      out = text + out;
    else
      out += " " + shell_word(text);
  }
  const bool one_line = std::ranges::none_of(out, [](char c) {
    return std::iscntrl(static_cast<unsigned char>(c)) != 0;
  });
  return one_line ? out : std::string{};
}

} // namespace brewery::desktop
