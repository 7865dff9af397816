#include "coordinator/recorded.hpp"

#include "messages/wire/codec.hpp"

#include <fmt/format.h>

namespace brewery {

std::string gather_key(const std::string& strategy, std::uint32_t iteration) {
  return fmt::format("{}/iteration {}", strategy, iteration);
}

std::string tree_prefix(const std::string& strategy, concept_id tree) {
  return fmt::format("{}/tree {}/iteration ", strategy, tree.value);
}

std::string dropped_prefix(const std::string& strategy) {
  return strategy + "/dropped ";
}

result<std::vector<gather_record>>
gathers_on_record(const std::map<std::string, std::string>& decisions,
                  const std::string& strategy) {
  std::vector<gather_record> out;
  for (std::uint32_t iteration = 0;; ++iteration) {
    const auto key = fmt::format("{}/{}", gather_record::type_name,
                                 gather_key(strategy, iteration));
    const auto found = decisions.find(key);
    if (found == decisions.end()) return out;
    auto record = wire::decode<gather_record>(found->second);
    if (!record)
      return error{ec::corrupt, fmt::format("the log's {}: {}", key,
                                            record.error().message)};
    if (record->iteration != iteration)
      return error{ec::corrupt, fmt::format("the log's {} is of iteration {}",
                                            key, record->iteration)};
    out.push_back(std::move(*record));
  }
}

result<std::vector<dropped_concept>>
dropped_on_record(const std::map<std::string, std::string>& decisions,
                  const std::string& strategy) {
  const auto begin = fmt::format("{}/{}", dropped_concept::type_name,
                                 dropped_prefix(strategy));
  std::map<concept_id, dropped_concept> out;
  for (auto it = decisions.lower_bound(begin);
       it != decisions.end() && it->first.starts_with(begin); ++it) {
    auto one = wire::decode<dropped_concept>(it->second);
    if (!one)
      return error{ec::corrupt, fmt::format("the log's {}: {}", it->first,
                                            one.error().message)};
    out.emplace(one->id, std::move(*one));
  }
  std::vector<dropped_concept> list;
  for (auto& [id, one] : out)
    list.push_back(std::move(one));
  return list;
}

} // namespace brewery
