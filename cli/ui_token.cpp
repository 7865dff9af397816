#include "cli/ui_token.hpp"

#include "base/file.hpp"
#include "base/text.hpp"

#include <cstdlib>

namespace brewery {

result<std::string> ui_token(const std::string& file) {
  if (!file.empty()) {
    const auto text = read_private_file(file);
    if (!text) return text.error();
    if (trim(*text).empty())
      return error{ec::invalid_argument, file + " is empty"};
    return std::string{trim(*text)};
  }
  const char* set = std::getenv("BREWERY_UI_TOKEN");
  return std::string{set ? set : ""};
}

} // namespace brewery
