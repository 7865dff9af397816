#include "coordinator/recorded.hpp"

#include "messages/wire/codec.hpp"

#include <fmt/format.h>

namespace brewery {

std::string gather_key(const std::string& strategy, std::uint32_t iteration) {
  return fmt::format("{}/iteration {}", strategy, iteration);
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

} // namespace brewery
