#include "store/export_skills.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "kb/document_lines.hpp"
#include "kb/experience/experience.hpp"
#include "kb/front_matter.hpp"
#include "kb/muse/memory_text.hpp"
#include "store/files.hpp"
#include "store/folder.hpp"

#include <fmt/format.h>

#include <set>

namespace brewery {

namespace {

constexpr std::size_t name_bytes_max = 64;
constexpr std::size_t description_bytes_max = 1024;

/// Numbers stay: they tell where one item of a line ends.
std::string_view without_bullet(std::string_view line) {
  line = trim(line);
  for (const std::string_view bullet : {"- ", "* ", "+ ", "> "})
    if (line.starts_with(bullet)) return trim(line.substr(2));
  return line;
}

/// Behind an item that is no sentence stands a semicolon.
void add_item(std::string& out, std::string_view item) {
  constexpr std::string_view ends = ".;:!?,";
  if (!out.empty() && !item.empty())
    out += ends.find(out.back()) == std::string_view::npos ? "; " : " ";
  out += item;
}

std::string joined_items(const std::vector<std::string>& items) {
  std::string out;
  for (const auto& item : items)
    add_item(out, item);
  return out;
}

void add_words(std::string& out, std::string_view words) {
  if (!out.empty() && !words.empty()) out += ' ';
  out += words;
}

/// A line of a list is an item; any other goes on with the line before.
void add_line(std::string& out, std::string_view line) {
  if (listed(line).empty())
    add_words(out, without_bullet(line));
  else
    add_item(out, without_bullet(line));
}

/// Shortens to at most `bytes_max`, between words, never inside a character.
std::string shortened(std::string text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  const auto space = text.rfind(' ', bytes_max - 3);
  const std::size_t end = space == std::string::npos ? bytes_max - 3 : space;
  return std::string{utf8_prefix(text, end)} + "...";
}

/// Readers of skills refuse angle brackets in a description: `<id>` becomes
/// `{id}`.
std::string without_angle_brackets(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto at = text.find_first_of("<>");
    out += text.substr(0, at);
    if (at == std::string_view::npos) break;
    text.remove_prefix(at);
    const auto end = text.find_first_of("<> ", 1);
    if (text[0] == '<' && end != std::string_view::npos && text[end] == '>') {
      out += fmt::format("{{{}}}", text.substr(1, end - 1));
      text.remove_prefix(end + 1);
    } else {
      out += text[0] == '<' ? "\u2039" : "\u203a";
      text.remove_prefix(1);
    }
  }
  return out;
}

/// What a document says first, below its headings.
std::string opening_words(std::string_view body) {
  constexpr std::size_t enough_bytes = 300;
  std::string out;
  code_blocks code{body};
  for (const auto line : split(body, '\n')) {
    if (code.marks(line) || (!code.inside() && opening_of(line))) continue;
    add_line(out, line);
    if (out.size() >= enough_bytes) break;
  }
  return shortened(std::move(out), enough_bytes);
}

/// What a document of the memory of MUSE is about; empty: it is none.
std::string headings_of_memory(std::string_view body) {
  muse::memory memory;
  if (!muse::read_document(body, memory)) return {};
  std::string out;
  for (const auto& item : memory.strategies)
    add_item(out, fmt::format("{}: {}", item.dilemma, item.text));
  for (const auto& item : memory.procedures)
    add_item(out, out.empty()
                      ? fmt::format("{}: {}", item.application, item.operation)
                      : item.operation);
  for (const auto& item : memory.tools)
    add_item(out, fmt::format("{}: {}", item.tool, item.text));
  return out;
}

/// An agent chooses a skill by it, so it says more than a title.
std::string description_of(const kb_entry& entry) {
  const auto& body = entry.doc->body;
  auto text = section_text(body, "when to use");
  if (text.empty()) text = headings_of_memory(body);
  if (text.empty())
    if (const auto item = read_experience(body))
      text = joined_items(item->problem);
  if (text.empty()) {
    text = entry.title.empty() ? heading_of(body) : entry.title;
    if (text.empty()) text = fmt::format("Concept {}", entry.concept_ref.value);
    if (const auto more = opening_words(body); !more.empty())
      text += ": " + more;
  }
  return shortened(without_angle_brackets(text), description_bytes_max);
}

} // namespace

std::string section_text(std::string_view body, std::string_view title) {
  std::string out;
  bool inside = false;
  code_blocks code{body};
  for (const auto line : split(body, '\n')) {
    if (code.marks(line)) continue;
    const auto opens = code.inside() ? std::nullopt : opening_of(line);
    if (opens && inside) break;
    if (opens) {
      inside = lower(opens->title).starts_with(lower(title));
      if (inside) out += opens->rest;
    } else if (inside && code.inside()) {
      add_words(out, without_bullet(line));
    } else if (inside) {
      add_line(out, line);
    }
  }
  return out;
}

std::vector<skill> skills_of(const knowledge_base& kb) {
  std::vector<skill> out;
  std::set<std::string> taken;
  for (const auto& entry : kb.entries()) {
    const std::string base = slug(entry.title, name_bytes_max - 11);
    std::string name = base;
    for (int number = 2; !taken.insert(name).second; ++number)
      name = fmt::format("{}-{}", base, number);
    const auto description = description_of(entry);
    auto text =
        fmt::format("---\nname: {}\ndescription: {}\n---\n{}", name,
                    yaml_quoted(description), told_text(entry.doc->body));
    out.push_back({std::move(name), description, std::move(text)});
  }
  return out;
}

result<void> export_skills(const std::filesystem::path& dir,
                           const knowledge_base& kb) {
  std::vector<named_file> files;
  for (auto& one : skills_of(kb))
    files.push_back({one.name + "/SKILL.md", std::move(one.text)});
  // Without a marker, a folder that is not empty is never replaced.
  return replace_folder(dir, files, {});
}

} // namespace brewery
