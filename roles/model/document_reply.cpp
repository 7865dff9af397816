#include "roles/model/document_reply.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "roles/model/reply_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace brewery {

namespace {

/// Limit, because a prompt shows several documents.
constexpr std::size_t max_document_bytes = 200'000;

error wrong_document(std::string what) {
  return {ec::malformed, std::move(what)};
}

/// Parses a line as a heading: "when to use" of `**When to use**`, `## When to
/// use:` and the like, with the text that follows a bold heading.
struct heading_line {
  std::string words; ///< lower case; empty: not a heading
  std::string_view rest;
};

heading_line heading_of_line(std::string_view line) {
  line = trim(line);
  std::string_view words = line, rest;
  if (line.starts_with("**")) {
    const auto end = line.find("**", 2);
    if (end == std::string_view::npos) return {};
    words = line.substr(2, end - 2);
    rest = line.substr(end + 2);
    if (rest.starts_with(':')) rest.remove_prefix(1);
  } else if (!line.starts_with('#')) {
    return {};
  }
  const auto first = words.find_first_not_of("#* ");
  const auto last = words.find_last_not_of("#*: ");
  if (first == std::string_view::npos || last == std::string_view::npos
      || last < first)
    return {};
  return {lower(words.substr(first, last - first + 1)), trim(rest)};
}

/// The numbers of "i1, i7". Empty if the text is not such a list.
std::vector<std::uint64_t> citation(std::string_view inside) {
  constexpr std::size_t max_digits = 9;
  std::vector<std::uint64_t> out;
  const auto commas = replace_all(std::string{inside}, ";", ",");
  for (auto item : split(commas, ',')) {
    item = trim(item);
    if (item.size() < 2 || item.size() > max_digits + 1 || item.front() != 'i')
      return {};
    std::uint64_t number = 0;
    for (const char c : item.substr(1)) {
      if (c < '0' || c > '9') return {};
      number = 10 * number + static_cast<std::uint64_t>(c - '0');
    }
    out.push_back(number);
  }
  return out;
}

/// Removes the citations of a line and appends their numbers to `numbers`.
/// Searches back from each closing bracket, so removing one cannot create
/// another.
std::string take_citations(std::string_view line,
                           std::vector<std::uint64_t>& numbers) {
  std::string out;
  bool code = false;
  for (const char c : line) {
    if (c == '`') code = !code;
    out += c;
    if (c != ']' || code) continue;
    const auto before = std::string_view{out}.substr(0, out.size() - 1);
    const auto open = before.find_last_not_of("i0123456789,; ");
    if (open == std::string_view::npos || before[open] != '[') continue;
    const auto found = citation(before.substr(open + 1));
    if (found.empty()) continue;
    numbers.insert(numbers.end(), found.begin(), found.end());
    out.resize(open);
    // "text [i1]." becomes "text."
    while (out.ends_with(' '))
      out.pop_back();
  }
  while (out.ends_with(' '))
    out.pop_back();
  return out;
}

/// The part whose heading the text is; empty: none's.
std::optional<std::size_t> part_of(std::string_view text,
                                   const std::vector<document_part>& parts) {
  const auto found = heading_of_line(text);
  if (found.words.empty()) return std::nullopt;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& heading = parts[i].heading;
    if (heading_of_line(heading).words != found.words) continue;
    // "**Example**: ..." inside another part is text of that part.
    if (found.rest.empty() || heading.starts_with("**")) return i;
  }
  return std::nullopt;
}

/// Builds the document in one pass over the lines.
class document_reader {
public:
  explicit document_reader(const document_request& wanted) : wanted_(wanted) {
    line("# " + wanted.title);
    line("");
  }

  result<integrate_result> read(std::string_view reply) {
    for (const auto raw : split(reply, '\n')) {
      auto ok =
          read_line(raw.ends_with('\r') ? raw.substr(0, raw.size() - 1) : raw);
      if (!ok) return ok.error();
    }
    if (fenced_) return wrong_document("a code fence is not closed");
    if (auto ok = close_part(); !ok) return ok.error();
    if (next_ < wanted_.parts.size())
      return wrong_document(fmt::format("the part \"{}\" is missing",
                                        wanted_.parts[next_].heading));
    while (made_.body.ends_with("\n\n"))
      made_.body.pop_back();
    if (made_.body.size() > max_document_bytes)
      return wrong_document(
          fmt::format("the document has {} bytes; at most {} are "
                      "allowed",
                      made_.body.size(), max_document_bytes));
    return std::move(made_);
  }

private:
  result<void> read_line(std::string_view raw) {
    if (fenced_) {
      fenced_ = !trim(raw).starts_with("```");
      line(raw);
      return {};
    }
    std::vector<std::uint64_t> numbers;
    const auto text = take_citations(raw, numbers);
    if (const auto part = part_of(text, wanted_.parts)) {
      if (auto ok = open_part(*part); !ok) return ok;
      const auto rest = heading_of_line(text).rest;
      return rest.empty() ? result<void>{} : read_line(rest);
    }
    const auto bare = trim(text);
    if (next_ == 0) {
      // Drop a title: the program writes it.
      if (bare.empty() || bare.starts_with("# ")) return {};
      return wrong_document(
          fmt::format("it begins with \"{}\" instead of \"{}\"",
                      shown(bare, 40), wanted_.parts.front().heading));
    }
    auto cited = insights_of(numbers, text);
    if (!cited) return cited.error();
    // Keep one of several empty lines; a heading adds its own.
    if (bare.empty() && made_.body.ends_with("\n\n")) return {};
    fenced_ = bare.starts_with("```");
    filled_ = filled_ || !bare.empty();
    line(text);
    if (!bare.empty() && !cited->empty())
      made_.evidence.push_back({number_, std::move(*cited)});
    return {};
  }

  [[nodiscard]] result<std::vector<insight_id>>
  insights_of(const std::vector<std::uint64_t>& numbers,
              std::string_view text) const {
    std::set<insight_id> cited;
    if (!wanted_.known.empty())
      if (const auto it = wanted_.known.find(words_of_point(text));
          it != wanted_.known.end())
        cited.insert(it->second.begin(), it->second.end());
    for (const auto number : numbers) {
      if (number < 1 || number > wanted_.insights.size())
        return wrong_document(
            fmt::format("[i{}] names no insight; there are {}", number,
                        wanted_.insights.size()));
      cited.insert(wanted_.insights[number - 1]);
    }
    return std::vector<insight_id>{cited.begin(), cited.end()};
  }

  result<void> open_part(std::size_t part) {
    if (auto ok = close_part(); !ok) return ok;
    if (part < next_)
      return wrong_document(
          fmt::format("the part \"{}\" is there twice or out of order",
                      wanted_.parts[part].heading));
    if (part > next_)
      return wrong_document(fmt::format(
          "the part \"{}\" is missing before \"{}\"",
          wanted_.parts[next_].heading, wanted_.parts[part].heading));
    ++next_;
    filled_ = false;
    if (!made_.body.ends_with("\n\n")) line("");
    line(wanted_.parts[part].heading);
    line("");
    return {};
  }

  [[nodiscard]] result<void> close_part() const {
    if (next_ > 0 && !filled_)
      return wrong_document(fmt::format("the part \"{}\" is empty",
                                        wanted_.parts[next_ - 1].heading));
    return {};
  }

  void line(std::string_view text) {
    made_.body += text;
    made_.body += '\n';
    ++number_;
  }

  const document_request& wanted_;
  integrate_result made_;
  std::uint32_t number_ = 0; ///< number of lines written
  std::size_t next_ = 0;     ///< the part that is expected next
  bool filled_ = false;      ///< the current part has text
  bool fenced_ = false;      ///< inside a code fence
};

/// The backticks that begin or end a code block; empty if the line does not.
std::string_view fence_of(std::string_view line) {
  line = trim(line);
  const auto ticks =
      line.substr(0, std::min(line.find_first_not_of('`'), line.size()));
  return ticks.size() < 3 ? std::string_view{} : ticks;
}

/// The text up to the end of the block that this fence began before it. Blocks
/// inside it are in pairs. Empty if it does not end.
std::string_view up_to_fence(std::string_view text, std::string_view fence) {
  std::size_t fences = 0;
  auto end = std::string_view::npos;
  for (const auto line : split(text, '\n')) {
    if (!fence_of(line).starts_with(fence)) continue;
    ++fences;
    end = trim(line) == fence
              ? static_cast<std::size_t>(line.data() - text.data())
              : std::string_view::npos;
  }
  const bool ends = end != std::string_view::npos && fences % 2 == 1;
  return ends ? text.substr(0, end) : std::string_view{};
}

/// The document in a reply: from its first heading on, without what a model
/// says before it, and of a code block around it the content. A reply that has
/// no heading, or a block that does not end, stays as it is and is refused.
std::string_view document_in(std::string_view reply,
                             const std::vector<document_part>& parts) {
  reply = trim(reply);
  std::string_view fence; // of the block that is open
  for (const auto line : split(reply, '\n')) {
    std::vector<std::uint64_t> ignored;
    if (part_of(take_citations(line, ignored), parts)) {
      const auto from =
          reply.substr(static_cast<std::size_t>(line.data() - reply.data()));
      if (fence.empty()) return from;
      const auto inside = up_to_fence(from, fence);
      return inside.empty() ? reply : inside;
    }
    if (fence.empty())
      fence = fence_of(line);
    else if (trim(line) == fence)
      fence = {};
  }
  return reply;
}

} // namespace

std::string words_of_point(std::string_view line) {
  line = trim(line);
  if (line.starts_with("- ") || line.starts_with("* ")
      || line.starts_with("+ ")) {
    line.remove_prefix(2);
  } else {
    const auto digits = line.find_first_not_of("0123456789");
    if (digits != 0 && digits != std::string_view::npos
        && (line[digits] == '.' || line[digits] == ')'))
      line.remove_prefix(digits + 1);
  }
  return lower(collapse_spaces(line));
}

point_evidence evidence_of_points(std::string_view body,
                                  const std::vector<line_evidence>& evidence) {
  std::map<std::uint32_t, const line_evidence*> by_line;
  for (const auto& line : evidence)
    by_line.emplace(line.line, &line);
  point_evidence out;
  std::uint32_t number = 0;
  for (const auto line : split(body, '\n')) {
    const auto it = by_line.find(++number);
    if (it == by_line.end()) continue;
    auto& all = out[words_of_point(line)];
    all.insert(all.end(), it->second->insights.begin(),
               it->second->insights.end());
  }
  out.erase("");
  return out;
}

result<integrate_result> read_document(std::string_view reply,
                                       const document_request& wanted) {
  const auto text = document_in(reply, wanted.parts);
  if (text.empty()) return wrong_document("it is empty");
  return document_reader{wanted}.read(text);
}

} // namespace brewery
