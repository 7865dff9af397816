#include "kb/muse/memory_text.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::muse {

namespace {

constexpr std::string_view strategies_title = "# Strategies";
constexpr std::string_view tools_title = "# Tools";
constexpr std::string_view application_title = "# Application: ";

void add_entry(std::string& out, std::string_view name, std::string_view text) {
  out += fmt::format("\n## {}\n\n{}\n", name, text);
}

void add_list(std::string& out, std::string_view title,
              const std::vector<std::string>& lines, bool numbered) {
  if (lines.empty()) return;
  out += fmt::format("{}:\n", title);
  for (std::size_t i = 0; i < lines.size(); ++i)
    out += numbered ? fmt::format("{}. {}\n", i + 1, lines[i])
                    : fmt::format("- {}\n", lines[i]);
}

std::string body_of(const procedure& item) {
  auto out = fmt::format("\n## {}\n\n", item.operation);
  add_list(out, "Preconditions", item.preconditions, false);
  add_list(out, "Steps", item.steps, true);
  add_list(out, "Notes", item.notes, false);
  return out;
}

/// Reads one document line by line.
class document_reader {
public:
  document_reader(std::string_view text, const memory_limits& limits)
      : lines_(split(text, '\n')), limits_(limits) {}

  result<std::vector<memory_operation>> read() {
    const auto title = lines_.front();
    if (title == strategies_title || title == tools_title)
      return entries(title == tools_title ? memory_stores::tool
                                          : memory_stores::strategic);
    if (title.starts_with(application_title))
      return procedures(title.substr(application_title.size()));
    return wrong("the first line is no title of a memory's document");
  }

private:
  [[nodiscard]] error wrong(std::string_view what) const {
    return {ec::malformed, fmt::format("line {}: {}", at_ + 1, what)};
  }

  [[nodiscard]] bool more() const { return at_ + 1 < lines_.size(); }
  /// Empty at the end too; `more` tells.
  [[nodiscard]] std::string_view line() const {
    return at_ < lines_.size() ? lines_[at_] : std::string_view{};
  }

  /// "## NAME" between two empty lines.
  result<std::string> heading() {
    if (!line().empty()) return wrong("an empty line is missing");
    ++at_;
    if (!line().starts_with("## ")) return wrong("\"## NAME\" is missing");
    std::string name{line().substr(3)};
    ++at_;
    if (!line().empty()) return wrong("an empty line is missing");
    ++at_;
    return name;
  }

  result<std::vector<memory_operation>> entries(std::string_view store) {
    std::vector<memory_operation> out;
    ++at_;
    while (more()) {
      auto name = heading();
      if (!name) return name.error();
      out.push_back({.store = std::string{store},
                     .name = std::move(*name),
                     .operation = {},
                     .preconditions = {},
                     .texts = {std::string{line()}},
                     .notes = {}});
      ++at_;
    }
    return out;
  }

  /// The lines of a list with this title; none if another title is here.
  std::vector<std::string> list(std::string_view title, bool numbered) {
    std::vector<std::string> out;
    if (line() != fmt::format("{}:", title)) return out;
    ++at_;
    for (;;) {
      const auto mark =
          numbered ? fmt::format("{}. ", out.size() + 1) : std::string{"- "};
      if (!line().starts_with(mark) || out.size() > limits_.lines) return out;
      out.emplace_back(line().substr(mark.size()));
      ++at_;
    }
  }

  result<std::vector<memory_operation>>
  procedures(std::string_view application) {
    std::vector<memory_operation> out;
    ++at_;
    while (more()) {
      auto name = heading();
      if (!name) return name.error();
      memory_operation item{.store = std::string{memory_stores::procedural},
                            .name = std::string{application},
                            .operation = std::move(*name),
                            .preconditions = list("Preconditions", false),
                            .texts = list("Steps", true),
                            .notes = {}};
      item.notes = list("Notes", false);
      if (item.texts.empty()) return wrong("a procedure without steps");
      out.push_back(std::move(item));
    }
    return out;
  }

  std::vector<std::string_view> lines_;
  const memory_limits& limits_;
  std::size_t at_ = 0;
};

} // namespace

std::vector<std::string> applications(const memory& from) {
  std::vector<std::string> out;
  for (const auto& item : from.procedures)
    if (out.empty() || out.back() != item.application)
      out.push_back(item.application);
  return out;
}

std::string application_text(const memory& from, std::string_view application) {
  std::string bodies;
  for (const auto& item : from.procedures)
    if (item.application == application) bodies += body_of(item);
  if (bodies.empty()) return {};
  return fmt::format("{}{}\n{}", application_title, application, bodies);
}

std::vector<std::string> documents_of(const memory& from) {
  std::vector<std::string> out;
  if (!from.strategies.empty()) {
    auto text = fmt::format("{}\n", strategies_title);
    for (const auto& item : from.strategies)
      add_entry(text, item.dilemma, item.text);
    out.push_back(std::move(text));
  }
  for (const auto& name : applications(from))
    out.push_back(application_text(from, name));
  if (!from.tools.empty()) {
    auto text = fmt::format("{}\n", tools_title);
    for (const auto& item : from.tools)
      add_entry(text, item.tool, item.text);
    out.push_back(std::move(text));
  }
  return out;
}

result<void> read_document(std::string_view text, memory& into,
                           const memory_limits& limits) {
  const auto read = document_reader{text, limits}.read();
  if (!read) return read.error();
  if (read->empty()) return error{ec::malformed, "line 2: there is no entry"};
  memory own;
  const auto done = merge(own, *read, limits);
  if (!done.refused.empty()) return error{ec::malformed, done.refused.front()};
  const auto written = documents_of(own);
  if (written.size() != 1 || written.front() != text) {
    std::size_t line = 1;
    for (std::size_t i = 0; i < std::min(text.size(), written.front().size())
                            && text[i] == written.front()[i];
         ++i)
      line += text[i] == '\n' ? 1 : 0;
    return error{
        ec::malformed,
        fmt::format("line {}: not in the strict form, in which entries "
                    "are sorted and lines are written one way only",
                    line)};
  }
  auto whole = into;
  const auto merged = merge(whole, *read, limits);
  if (!merged.refused.empty())
    return error{ec::malformed, merged.refused.front()};
  if (merged.added.size() != read->size())
    return error{ec::malformed,
                 "an entry of it is in another document of the memory too"};
  into = std::move(whole);
  return {};
}

std::string outline(const memory& from) {
  std::string out;
  for (const auto& name : applications(from)) {
    out += fmt::format("- {}: ", name);
    bool first = true;
    for (const auto& item : from.procedures)
      if (item.application == name) {
        out += (first ? "" : "; ") + item.operation;
        first = false;
      }
    out += "\n";
  }
  return out;
}

std::string open_procedures(const memory& from, std::string_view application,
                            const std::vector<std::string>& operations) {
  std::string out;
  const auto find = [&](std::string_view operation) -> const procedure* {
    for (const auto& item : from.procedures)
      if (item.application == application && item.operation == operation)
        return &item;
    return nullptr;
  };
  if (operations.empty()) out = application_text(from, application);
  for (const auto& name : operations)
    if (const auto* item = find(name))
      out += body_of(*item);
    else
      out += fmt::format("Absent: {} has no operation \"{}\".\n", application,
                         name);
  if (out.empty())
    return fmt::format("Absent: there is no application \"{}\".\n",
                       application);
  return out;
}

std::string_view note_on(const memory& from, std::string_view tool) {
  for (const auto& item : from.tools)
    if (item.tool == tool) return item.text;
  return {};
}

} // namespace brewery::muse
