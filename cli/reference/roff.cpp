#include "cli/reference/roff.hpp"

#include "base/text.hpp"

namespace brewery::roff {

namespace {

/// Each character as itself: a hyphen that can be copied, no ligature of
/// quotes.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
    case '\\':
      out += "\\e";
      break;
    case '-':
      out += "\\-";
      break;
    case '\'':
      out += "\\(aq";
      break;
    case '`':
      out += "\\(ga";
      break;
    case '^':
      out += "\\(ha";
      break;
    case '~':
      out += "\\(ti";
      break;
    default:
      out += c;
    }
  }
  return out;
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// A dot at the beginning of a line would be a request.
std::string guarded(const std::string& line) {
  return line.starts_with('.') ? "\\&" + line : line;
}

std::string font(char name, const std::string& text) {
  return std::string{"\\f"} + name + escaped(text) + "\\fR";
}

} // namespace

std::string prose(const std::string& text) {
  std::string out;
  bool code = false;
  for (const auto part : split(text, '`')) {
    const std::string words{part};
    out += code ? bold(words) : escaped(words);
    code = !code;
  }
  return guarded(out);
}

std::string bold(const std::string& text) {
  return font('B', text);
}

std::string italic(const std::string& text) {
  return font('I', text);
}

std::string title(const std::string& name, int section) {
  return ".TH " + escaped(upper(name)) + ' ' + std::to_string(section)
         + " \"\" \"brewery " BREWERY_VERSION "\" \"Brewery\"\n"
           // Neither stretched nor hyphenated: lines may be copied.
           ".nh\n.ad l\n";
}

std::string heading(const std::string& text) {
  return ".SH \"" + escaped(text) + "\"\n";
}

std::string subheading(const std::string& text) {
  return ".SS \"" + escaped(text) + "\"\n";
}

std::string item(const std::string& term, const std::string& meaning) {
  return ".TP\n" + guarded(term) + '\n' + guarded(meaning) + '\n';
}

std::string paragraphs(const std::string& text) {
  std::string out;
  bool shown = false, fresh = true;
  const auto show = [&](bool wanted) {
    if (shown == wanted) return;
    out += wanted ? ".PP\n.RS 8\n" : ".RE\n";
    shown = wanted;
    fresh = true;
  };
  for (const auto view : split(text, '\n')) {
    const std::string line{view};
    if (trim(line).empty()) {
      fresh = true;
      continue;
    }
    const bool goes_on = shown && line.starts_with("    ");
    show(line.starts_with("  "));
    if (shown) { // a long one goes on below, further right
      if (!goes_on) out += ".br\n.ti -4\n";
      out += guarded(escaped(std::string{trim(line)})) + '\n';
      continue;
    }
    if (fresh) out += ".PP\n";
    fresh = false;
    out += prose(line) + '\n';
  }
  show(false);
  return out;
}

} // namespace brewery::roff
