#include "roles/prompts/rubrics.hpp"

#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/toml_reader.hpp"
#include "roles/model/reply_text.hpp"
#include "roles/prompts/embedded.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <set>

namespace brewery {

namespace {

error wrong(std::string_view file, const toml::source_region& where,
            std::string_view what) {
  return {ec::malformed,
          fmt::format("{}:{}: {}", file, where.begin.line, what)};
}

result<rubric> read_rubric(const toml::table& table, std::string_view file) {
  rubric out;
  const std::vector<std::pair<std::string_view, std::string*>> members{
      {"name", &out.name},
      {"asks", &out.asks},
      {"kept", &out.kept},
      {"broken", &out.broken}};
  for (const auto& [name, place] : members) {
    const auto* node = table.get(name);
    if (node == nullptr)
      return wrong(file, table.source(),
                   fmt::format("this rubric has no '{}'", name));
    const auto text = node->value<std::string>();
    if (!text || collapse_spaces(*text).empty())
      return wrong(file, node->source(),
                   fmt::format("'{}' must be a text that is not empty", name));
    *place = collapse_spaces(*text);
  }
  for (const auto& [key, node] : table) {
    const auto name = std::string_view{key};
    if (std::none_of(members.begin(), members.end(),
                     [&](const auto& member) { return member.first == name; }))
      return wrong(file, node.source(),
                   fmt::format("unknown key '{}'; a rubric has name, asks, "
                               "kept, broken",
                               shown(name)));
  }
  return out;
}

} // namespace

result<std::vector<rubric>> parse_rubrics(std::string_view text,
                                          std::string_view file) {
  if (auto ok = check_toml_keys(text, file); !ok) return ok.error();
  toml::table document;
  try {
    document = toml::parse(text, file);
  } catch (const toml::parse_error& failed) {
    return wrong(file, failed.source(), shown(failed.description(), 160));
  }
  std::vector<rubric> out;
  std::set<std::string> names;
  for (const auto& [key, node] : document) {
    const auto* list = node.as_array();
    if (std::string_view{key} != "rubric" || list == nullptr)
      return wrong(file, node.source(),
                   fmt::format("unknown key '{}'; the file is a list of "
                               "[[rubric]]",
                               shown(std::string_view{key})));
    for (const auto& entry : *list) {
      const auto* table = entry.as_table();
      if (table == nullptr)
        return wrong(file, entry.source(), "a rubric is a table, [[rubric]]");
      auto made = read_rubric(*table, file);
      if (!made) return made.error();
      if (!names.insert(made->name).second)
        return wrong(file, table->source(),
                     fmt::format("a second rubric '{}'", made->name));
      out.push_back(std::move(*made));
    }
  }
  if (out.empty())
    return error{ec::malformed, fmt::format("{}: it has no [[rubric]]", file)};
  return out;
}

result<std::vector<rubric>> load_rubrics(const std::filesystem::path& file) {
  if (!file.empty()) {
    auto text = read_file(file);
    if (!text) return text.error();
    return parse_rubrics(*text, file.string());
  }
  std::vector<rubric> out;
  for (const auto& [name, text] : embedded_rubrics()) {
    auto some =
        parse_rubrics(text, fmt::format("config/rubrics/{}.toml", name));
    if (!some) return some.error();
    out.insert(out.end(), some->begin(), some->end());
  }
  return out;
}

std::string rubrics_text(const std::vector<rubric>& rubrics) {
  std::string out;
  for (const auto& item : rubrics)
    out += fmt::format("- \"{}\": {}\n  Kept, for example: {}\n"
                       "  Broken, for example: {}\n",
                       item.name, item.asks, item.kept, item.broken);
  return std::string{trim(out)};
}

} // namespace brewery
