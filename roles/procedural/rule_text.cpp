#include "roles/procedural/rule_text.hpp"

#include "base/text.hpp"
#include "roles/procedural/call_text.hpp"

#include <optional>

namespace brewery {

namespace {

/// Parses a sentence piece by piece. After a mismatch, the sentence is ignored.
class reader {
public:
  explicit reader(std::string_view text) : rest_(text) {}

  bool accept(std::string_view literal) {
    if (!rest_.starts_with(literal)) return false;
    rest_.remove_prefix(literal.size());
    return true;
  }

  std::optional<std::string> call() {
    if (!accept("`")) return std::nullopt;
    std::size_t used = 0;
    const auto parsed = parse_call(rest_, used);
    if (!parsed) return std::nullopt;
    rest_.remove_prefix(used);
    if (!accept("`")) return std::nullopt;
    return to_text(*parsed);
  }

  std::optional<std::string> text() {
    std::size_t used = 0;
    auto parsed = parse_quoted(rest_, used);
    if (parsed) rest_.remove_prefix(used);
    return parsed;
  }

  std::optional<condition> shows() {
    auto observation = call();
    if (!observation || !accept(" shows ")) return std::nullopt;
    auto line = text();
    if (!line) return std::nullopt;
    return condition{std::move(*observation), std::move(*line)};
  }

private:
  std::string_view rest_;
};

/// "[and LOOK shows TEXT]... [and the task says TEXT]...". False on a mismatch.
bool read_tail(reader& in, std::vector<condition>* when,
               std::vector<std::string>& clauses) {
  while (in.accept(" and ")) {
    if (in.accept("the task says ")) {
      auto clause = in.text();
      if (!clause) return false;
      clauses.push_back(std::move(*clause));
      continue;
    }
    if (when == nullptr) return false;
    auto shown = in.shows();
    if (!shown) return false;
    when->push_back(std::move(*shown));
  }
  return true;
}

std::optional<rule> read_rule(std::string_view text) {
  reader in{text};
  rule item;
  if (!in.accept("When ")) return std::nullopt;
  auto first = in.shows();
  if (!first) return std::nullopt;
  item.when.push_back(std::move(*first));
  if (!read_tail(in, &item.when, item.clauses) || !in.accept(": call "))
    return std::nullopt;
  do {
    auto call = in.call();
    if (!call) return std::nullopt;
    item.calls.push_back(std::move(*call));
  } while (in.accept(", then "));
  if (!in.accept(".")) return std::nullopt;
  if (in.accept(" Expect ")) {
    auto expected = in.text();
    if (!expected) return std::nullopt;
    item.expect = std::move(*expected);
  }
  return item;
}

std::optional<goal> read_goal(std::string_view text) {
  reader in{text};
  if (!in.accept("Done when ")) return std::nullopt;
  auto shown = in.shows();
  if (!shown) return std::nullopt;
  goal item{std::move(*shown), {}};
  if (!read_tail(in, nullptr, item.clauses) || !in.accept("."))
    return std::nullopt;
  return item;
}

std::string condition_text(const condition& item) {
  return "`" + item.observation + "` shows " + json_quoted(item.line);
}

std::string clauses_text(const std::vector<std::string>& clauses) {
  std::string out;
  for (const auto& clause : clauses)
    out += " and the task says " + json_quoted(clause);
  return out;
}

} // namespace

std::string to_text(const rule& item) {
  std::string out = "When ";
  for (std::size_t i = 0; i < item.when.size(); ++i)
    out += (i > 0 ? " and " : "") + condition_text(item.when[i]);
  out += clauses_text(item.clauses) + ": call ";
  for (std::size_t i = 0; i < item.calls.size(); ++i)
    out += (i > 0 ? ", then `" : "`") + item.calls[i] + "`";
  out += ".";
  if (!item.expect.empty()) out += " Expect " + json_quoted(item.expect) + ".";
  return out;
}

std::string to_text(const goal& item) {
  return "Done when " + condition_text(item.shows) + clauses_text(item.clauses)
         + ".";
}

guidance read_guidance(std::string_view body) {
  guidance out;
  std::uint32_t number = 0;
  for (const auto line : split(body, '\n')) {
    ++number;
    if (const auto at = line.find("When `"); at != std::string_view::npos)
      if (auto item = read_rule(line.substr(at))) {
        auto text = to_text(*item);
        out.rules.push_back({std::move(*item), number, std::move(text)});
      }
    if (const auto at = line.find("Done when `"); at != std::string_view::npos)
      if (auto item = read_goal(line.substr(at)))
        out.goals.push_back({std::move(*item), number});
  }
  return out;
}

} // namespace brewery
