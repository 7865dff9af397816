#include "roles/desktop/formats/prompt_reply.hpp"

#include "base/text.hpp"

#include <cctype>
#include <optional>

namespace brewery::desktop {

namespace {

constexpr std::string_view fence = "```";

bool is_special(std::string_view text) {
  return text == "WAIT" || text == "DONE" || text == "FAIL";
}

/// Without the name of a language: a word that white space follows. Alone, it
/// is no name.
std::string_view without_language(std::string_view body) {
  if (is_special(trim(body))) return body;
  std::size_t at = 0;
  while (at < body.size()
         && (std::isalnum(static_cast<unsigned char>(body[at])) != 0
             || body[at] == '_'))
    ++at;
  const bool named = at > 0 && at < body.size()
                     && std::isspace(static_cast<unsigned char>(body[at])) != 0;
  return named ? body.substr(at) : body;
}

/// The code of one fence, and the special word that may end it.
void add_actions(std::string_view body, std::vector<action>& out) {
  const auto text = split_statements(without_language(body));
  const auto whole = trim(text);
  if (whole.empty()) return;
  const auto at = whole.rfind('\n');
  const auto last = trim(at == whole.npos ? whole : whole.substr(at + 1));
  if (!is_special(last)) {
    out.push_back(code(std::string{whole}));
    return;
  }
  if (at != whole.npos)
    if (const auto before = trim(whole.substr(0, at)); !before.empty())
      out.push_back(code(std::string{before}));
  out.push_back(special_or_code(std::string{last}));
}

} // namespace

std::string split_statements(std::string_view code) {
  std::string out;
  std::string_view quote; // that is open
  const auto opens = [&](std::size_t at) -> std::string_view {
    for (const std::string_view mark : {"'''", "\"\"\"", "'", "\""})
      if (code.substr(at).starts_with(mark)) return mark;
    return {};
  };
  bool comment = false;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '\n') {
      comment = false;
      if (quote.size() == 1) quote = {}; // a string that nobody closed
    }
    if (!quote.empty()) {
      if (c == '\\' && i + 1 < code.size()) {
        out += c;
        out += code[++i];
      } else if (code.substr(i).starts_with(quote)) {
        out += quote;
        i += quote.size() - 1;
        quote = {};
      } else {
        out += c;
      }
      continue;
    }
    if (c == '#') comment = true;
    if (!comment) quote = opens(i);
    if (!quote.empty()) {
      out += quote;
      i += quote.size() - 1;
    } else if (c == ';' && !comment) {
      while (!out.empty() && (out.back() == ' ' || out.back() == '\t'))
        out.pop_back();
      out += '\n';
      while (i + 1 < code.size() && (code[i + 1] == ' ' || code[i + 1] == '\n'))
        ++i;
    } else {
      out += c;
    }
  }
  return out;
}

result<std::vector<action>> read_prompt_reply(std::string_view reply) {
  const auto text = trim(reply);
  if (is_special(text)) return std::vector{special_or_code(std::string{text})};
  std::vector<action> out;
  std::size_t at = 0;
  for (;;) {
    const auto open = text.find(fence, at);
    if (open == text.npos) break;
    const auto begin = open + fence.size();
    const auto close = text.find(fence, begin);
    if (close == text.npos) break; // as in the reference: no fence
    add_actions(text.substr(begin, close - begin), out);
    at = close + fence.size();
  }
  if (out.empty())
    return error{ec::malformed,
                 "it has no action: expected Python between ``` fences, or "
                 "WAIT, DONE or FAIL alone between them"};
  return out;
}

} // namespace brewery::desktop
