#include "envs/osworld/setup/placeholders.hpp"

#include "base/text.hpp"

namespace brewery::osworld {

json with_placeholders(json command, const guest_facts& facts) {
  if (command.is_array()) {
    for (auto& part : command)
      if (part.is_string()) part = with_placeholders(part, facts);
    return command;
  }
  if (!command.is_string()) return command;
  auto text = command.get<std::string>();
  const std::pair<std::string_view, std::string> values[] = {
      {"{CLIENT_PASSWORD}", facts.password.reveal()},
      {"{SCREEN_WIDTH_HALF}", std::to_string(facts.width_px / 2)},
      {"{SCREEN_HEIGHT_HALF}", std::to_string(facts.height_px / 2)},
      {"{SCREEN_WIDTH}", std::to_string(facts.width_px)},
      {"{SCREEN_HEIGHT}", std::to_string(facts.height_px)}};
  for (const auto& [name, value] : values)
    text = replace_all(std::move(text), name, value);
  return text;
}

} // namespace brewery::osworld
