#include "llm/accounts/known_models.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace brewery {

bool is_reasoning_model(std::string_view name) {
  static constexpr std::array<std::string_view, 4> families{"o1", "o3", "o4",
                                                            "gpt-5"};
  const auto small = lower(name.substr(name.rfind('/') + 1));
  if (small.starts_with("gpt-5-chat")) return false;
  return std::any_of(families.begin(), families.end(), [&](auto family) {
    if (!small.starts_with(family)) return false;
    // "o3-mini", "gpt-5.1"; but not "o3x".
    return small.size() == family.size() || small[family.size()] == '-'
           || small[family.size()] == '.';
  });
}

} // namespace brewery
