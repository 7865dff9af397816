#include "roles/document_reply.hpp"

#include "base/text.hpp"
#include "roles/reply_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace brewery {

namespace {

/// A document is shown with others in one prompt.
constexpr std::size_t max_document_bytes = 200'000;

error wrong(std::string what) {
  return {ec::malformed, std::move(what)};
}

/// A line as a heading: "when to use" of `**When to use**`, `## When to use:`
/// and the like, and what follows a bold one on its line.
struct heading_line {
  std::string words; ///< lower case; empty: no heading
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

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t count = 0;
  while (at + count < text.size() && text[at + count] >= '0'
         && text[at + count] <= '9')
    ++count;
  return count;
}

/// Length of a citation at the start of `text`, 0 if there is none; its numbers
/// are appended.
std::size_t citation_at(std::string_view text,
                        std::vector<std::uint64_t>& numbers) {
  constexpr std::size_t max_digits = 9;
  std::vector<std::uint64_t> found;
  std::size_t at = 1;
  for (;;) {
    while (at < text.size() && text[at] == ' ')
      ++at;
    if (at >= text.size() || text[at] != 'i') return 0;
    const auto digits = digits_at(text, ++at);
    if (digits == 0 || digits > max_digits) return 0;
    std::uint64_t number = 0;
    for (const char c : text.substr(at, digits))
      number = 10 * number + static_cast<std::uint64_t>(c - '0');
    found.push_back(number);
    at += digits;
    if (at >= text.size()) return 0;
    if (text[at] == ']') break;
    if (text[at] != ',' && text[at] != ';') return 0;
    ++at;
  }
  numbers.insert(numbers.end(), found.begin(), found.end());
  return at + 1;
}

/// The line without its citations.
std::string take_citations(std::string_view line,
                           std::vector<std::uint64_t>& numbers) {
  std::string out;
  bool code = false;
  while (!line.empty()) {
    if (line.front() == '`') code = !code;
    const auto length =
        code || line.front() != '[' ? 0 : citation_at(line, numbers);
    if (length == 0) {
      out += line.front();
      line.remove_prefix(1);
      continue;
    }
    line.remove_prefix(length);
    // "text [i1]." is to become "text."
    while (out.ends_with(' '))
      out.pop_back();
  }
  return out;
}

/// Goes through the lines once and builds the document.
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
    if (fenced_) return wrong("a code fence is not closed");
    if (auto ok = close_part(); !ok) return ok.error();
    if (next_ < wanted_.parts.size())
      return wrong(fmt::format("the part \"{}\" is missing",
                               wanted_.parts[next_].heading));
    while (made_.body.ends_with("\n\n"))
      made_.body.pop_back();
    if (made_.body.size() > max_document_bytes)
      return wrong(fmt::format("the document has {} bytes; at most {} are "
                               "allowed",
                               made_.body.size(), max_document_bytes));
    return std::move(made_);
  }

private:
  result<void> read_line(std::string_view text) {
    if (trim(text).starts_with("```")) fenced_ = !fenced_;
    if (!fenced_) {
      if (const auto part = part_of(text)) {
        if (auto ok = open_part(*part); !ok) return ok;
        const auto rest = heading_of_line(text).rest;
        return rest.empty() ? result<void>{} : keep(rest);
      }
      // A title, which is ours to write.
      if (next_ == 0 && (trim(text).empty() || text.starts_with("# ")))
        return {};
    }
    if (next_ == 0)
      return wrong(fmt::format("it begins with \"{}\" instead of \"{}\"",
                               shown(text, 40), wanted_.parts.front().heading));
    return keep(text);
  }

  result<void> keep(std::string_view text) {
    std::vector<std::uint64_t> numbers;
    auto kept = fenced_ ? std::string{text} : take_citations(text, numbers);
    std::set<insight_id> cited;
    for (const auto number : numbers) {
      if (number < 1 || number > wanted_.insights.size())
        return wrong(fmt::format("[i{}] names no insight; there are {}", number,
                                 wanted_.insights.size()));
      cited.insert(wanted_.insights[number - 1]);
    }
    const auto bare = trim(kept);
    filled_ = filled_ || !bare.empty();
    // Of several empty lines one is enough, and none below a heading's own.
    if (bare.empty() && made_.body.ends_with("\n\n") && !fenced_) return {};
    while (!fenced_ && kept.ends_with(' '))
      kept.pop_back();
    line(kept);
    if (!cited.empty() && !bare.empty())
      made_.evidence.push_back({number_, {cited.begin(), cited.end()}});
    return {};
  }

  [[nodiscard]] std::optional<std::size_t>
  part_of(std::string_view text) const {
    const auto found = heading_of_line(text);
    if (found.words.empty()) return std::nullopt;
    for (std::size_t i = 0; i < wanted_.parts.size(); ++i) {
      const auto& heading = wanted_.parts[i].heading;
      if (heading_of_line(heading).words != found.words) continue;
      // "**Example**: a case" inside another part is text of that part.
      if (found.rest.empty() || heading.starts_with("**")) return i;
    }
    return std::nullopt;
  }

  result<void> open_part(std::size_t part) {
    if (auto ok = close_part(); !ok) return ok;
    if (part < next_)
      return wrong(fmt::format("the part \"{}\" is there twice or out of order",
                               wanted_.parts[part].heading));
    if (part > next_)
      return wrong(fmt::format("the part \"{}\" is missing before \"{}\"",
                               wanted_.parts[next_].heading,
                               wanted_.parts[part].heading));
    ++next_;
    filled_ = false;
    if (!made_.body.ends_with("\n\n")) line("");
    line(wanted_.parts[part].heading);
    line("");
    return {};
  }

  [[nodiscard]] result<void> close_part() const {
    if (next_ > 0 && !filled_)
      return wrong(fmt::format("the part \"{}\" is empty",
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
  std::uint32_t number_ = 0; ///< lines written
  std::size_t next_ = 0;     ///< part that is expected next
  bool filled_ = false;      ///< the open part has text
  bool fenced_ = false;      ///< inside a code fence
};

/// Without a code fence around the whole.
std::string_view unwrapped(std::string_view reply) {
  reply = trim(reply);
  const auto line = reply.find('\n');
  if (line == std::string_view::npos || !reply.ends_with("\n```")) return reply;
  const auto first = trim(reply.substr(0, line));
  if (first != "```" && first != "```markdown" && first != "```md")
    return reply;
  return trim(reply.substr(line, reply.size() - line - 3));
}

} // namespace

result<integrate_result> read_document(std::string_view reply,
                                       const document_request& wanted) {
  const auto text = unwrapped(reply);
  if (text.empty()) return wrong("it is empty");
  return document_reader{wanted}.read(text);
}

} // namespace brewery
