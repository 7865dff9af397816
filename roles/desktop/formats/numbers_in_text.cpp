#include "roles/desktop/formats/numbers_in_text.hpp"

#include <cctype>
#include <charconv>

namespace brewery::desktop {

std::vector<double> numbers_in(std::string_view text, std::size_t most) {
  const auto digit = [&](std::size_t at) {
    return at < text.size()
           && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
  };
  std::vector<double> out;
  for (std::size_t at = 0; at < text.size() && out.size() < most;) {
    if (!digit(at)) {
      ++at;
      continue;
    }
    const bool minus =
        at > 0 && text[at - 1] == '-' && (at < 2 || !digit(at - 2));
    auto end = at;
    while (digit(end))
      ++end;
    if (end < text.size() && text[end] == '.' && digit(end + 1)) {
      ++end;
      while (digit(end))
        ++end;
    }
    double value = 0;
    std::from_chars(text.data() + at, text.data() + end, value,
                    std::chars_format::fixed);
    out.push_back(minus ? -value : value);
    at = end;
  }
  return out;
}

} // namespace brewery::desktop
