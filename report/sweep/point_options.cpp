#include "report/sweep/point_options.hpp"

#include "config/option.hpp"

#include <algorithm>

namespace brewery {

std::vector<named_values>
differing_options(const std::vector<const config*>& points) {
  std::vector<named_values> out(points.size());
  for (const auto& section : schema()) {
    if (section.name == "run") continue;
    for (const auto& item : section.options) {
      std::vector<std::string> values;
      for (const auto* one : points)
        values.push_back(write_toml(item.get(*one)));
      if (values.empty()
          || std::ranges::count(values, values.front()) == std::ssize(values))
        continue;
      for (std::size_t i = 0; i < points.size(); ++i)
        out[i].emplace_back(item.key(), std::move(values[i]));
    }
  }
  return out;
}

} // namespace brewery
