#include "kb/experience/experience.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brewery {

namespace {

constexpr std::string_view arrow = " => ";

constexpr auto& parts = experience_parts;

/// One line without what would end it or begin another part.
std::string line_of(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return std::string{trim(out)};
}

void add_list(std::string& out, std::string_view part,
              const std::vector<std::string>& items) {
  out += fmt::format("\n## {}\n\n", part);
  for (const auto& line : items)
    out += fmt::format("- {}\n", line_of(line));
}

std::string named_list(std::string_view name,
                       const std::vector<std::string>& words) {
  std::vector<std::string> clean;
  for (const auto& word : words)
    clean.push_back(line_of(word));
  return fmt::format("- {}: {}\n", name, join(clean, ", "));
}

/// What no text has. A tab is fine, and so are ends of lines.
bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r'
          && c != '\n')
         || c == '\x7f';
}

/// Reads one Markdown text line by line.
class reader {
public:
  explicit reader(std::string_view text) : text_(text) {}

  result<experience> read() {
    if (text_.size() > experience_bytes_max)
      return wrong(fmt::format("it has {} bytes; {} are possible", text_.size(),
                               experience_bytes_max));
    if (const auto at = std::ranges::find_if(text_, is_control);
        at != text_.end()) {
      number_ =
          1 + static_cast<std::size_t>(std::count(text_.begin(), at, '\n'));
      return wrong("it has a control character");
    }
    if (!next() || !line_.starts_with("# ") || trim(line_.substr(2)).empty())
      return wrong("expected \"# TITLE\"");
    out_.title = std::string{trim(line_.substr(2))};
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const auto heading = fmt::format("## {}", parts[part]);
      if ((part == 0 && !next()) || trim(line_) != heading)
        return wrong(fmt::format("expected \"{}\"", heading));
      if (auto ok = read_part(part); !ok) return ok.error();
    }
    if (!line_.empty()) return wrong("expected the end");
    if (out_.problem.empty()) return wrong("Problem has no line");
    if (out_.steps.empty()) return wrong("Steps has no line");
    if (out_.domain.empty()) return wrong("\"- domain: \" is missing");
    // Marks are written in full, so it can be longer than what was read.
    if (const auto size = to_markdown(out_).size(); size > experience_bytes_max)
      return wrong(fmt::format("written out it has {} bytes; {} are possible",
                               size, experience_bytes_max));
    return std::move(out_);
  }

private:
  /// Moves to the next line that is not empty; false at the end.
  bool next() {
    while (at_ < text_.size()) {
      const auto end = std::min(text_.find('\n', at_), text_.size());
      line_ = text_.substr(at_, end - at_);
      at_ = end + 1;
      ++number_;
      if (!trim(line_).empty()) return true;
    }
    line_ = {};
    return false;
  }

  error wrong(const std::string& what) const {
    return {ec::malformed,
            fmt::format("experience, line {}: {}", number_, what)};
  }

  result<void> read_part(std::size_t part) {
    while (next() && !line_.starts_with("## ")) {
      if (++lines_ > experience_lines_max)
        return wrong(fmt::format("more than {} lines", experience_lines_max));
      const auto item = item_of(part == 2);
      if (item.empty())
        return wrong(part == 2 ? "expected \"1. STEP\""
                               : "expected \"- LINE\"");
      if (auto ok = take(part, std::string{item}); !ok) return ok;
    }
    return {};
  }

  /// What follows the mark of the line; empty: it has none.
  [[nodiscard]] std::string_view item_of(bool numbered) const {
    auto rest = line_;
    if (!numbered)
      return rest.starts_with("- ") ? trim(rest.substr(2)) : std::string_view{};
    const auto digits = rest.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string_view::npos) return {};
    rest.remove_prefix(digits);
    return rest.starts_with(". ") ? trim(rest.substr(2)) : std::string_view{};
  }

  result<void> take(std::size_t part, std::string item) {
    switch (part) {
    case 0:
      out_.problem.push_back(std::move(item));
      break;
    case 1:
      out_.goal.push_back(std::move(item));
      break;
    case 2:
      out_.steps.push_back(std::move(item));
      break;
    case 3: {
      const auto at = (item + ' ').find(arrow);
      if (at == std::string::npos)
        return wrong("expected \"- SIGN => RECOVERY\"");
      const auto rest =
          at + arrow.size() < item.size() ? item.substr(at + arrow.size()) : "";
      out_.failures.push_back(
          {std::string{trim(item.substr(0, at))}, std::string{trim(rest)}});
      break;
    }
    default:
      return take_trait(item);
    }
    return {};
  }

  result<void> take_trait(const std::string& item) {
    const auto colon = (item + ' ').find(": ");
    const auto name = item.substr(0, colon);
    const auto value = colon + 2 < item.size() ? item.substr(colon + 2) : "";
    if (name == "domain") {
      out_.domain = value;
    } else if (name == "difficulty") {
      const auto number = whole_number<std::uint32_t>(value);
      if (!number)
        return wrong("difficulty: expected a whole number of 0 or more");
      out_.difficulty = *number;
    } else if (name == "tools" || name == "from") {
      auto& to = name == "tools" ? out_.tools : out_.from;
      for (const auto& word : split(value, ','))
        if (const auto clean = trim(word); !clean.empty())
          to.emplace_back(clean);
    } else {
      return wrong("expected domain, difficulty, tools or from");
    }
    return {};
  }

  std::string_view text_, line_;
  std::size_t at_ = 0, number_ = 0, lines_ = 0;
  experience out_;
};

std::string text_of(const std::vector<std::string>& items) {
  std::string out;
  for (const auto& line : items)
    out += line + '\n';
  return out;
}

} // namespace

std::string told_markdown(const experience& item) {
  auto out = fmt::format("# {}\n", line_of(item.title));
  add_list(out, "Problem", item.problem);
  add_list(out, "Goal", item.goal);
  out += "\n## Steps\n\n";
  for (std::size_t i = 0; i < item.steps.size(); ++i)
    out += fmt::format("{}. {}\n", i + 1, line_of(item.steps[i]));
  out += "\n## Failures\n\n";
  for (const auto& mode : item.failures)
    out +=
        fmt::format("{}\n", trim(fmt::format("- {}{}{}", line_of(mode.sign),
                                             arrow, line_of(mode.recovery))));
  out += fmt::format("\n## Characteristics\n\n- domain: {}\n- difficulty: {}\n",
                     line_of(item.domain), item.difficulty);
  return out + named_list("tools", item.tools);
}

std::string to_markdown(const experience& item) {
  return told_markdown(item) + named_list("from", item.from);
}

result<experience> read_experience(std::string_view markdown) {
  return reader{markdown}.read();
}

std::string problem_text(const experience& item) {
  return text_of(item.problem);
}

std::string goal_text(const experience& item) {
  return text_of(item.goal);
}

std::string traits_text(const experience& item) {
  return item.domain + '\n' + text_of(item.tools);
}

std::string told_text(const std::string& document) {
  const auto item = read_experience(document);
  return item ? told_markdown(*item) : document;
}

} // namespace brewery
