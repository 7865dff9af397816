/// The log that operators read: lines of the coordinator and of its workers.

#include "base/printable.hpp"
#include "server/coordinator_service.hpp"
#include "server/order_words.hpp"

namespace brewery {

namespace {

/// A worker's line is text from outside, whatever it should be.
json line_of_worker(const std::string& worker, const std::string& line) {
  auto out = json::object();
  auto read = json::parse(line, nullptr, false);
  if (!read.is_object()) read = json{{"message", line}};
  for (const auto& [key, value] : read.items())
    if (value.is_string()) out[key] = value;
  out["worker"] = worker;
  out["from"] = "worker";
  return out;
}

} // namespace

void coordinator_service::take_worker_log(const std::string& worker,
                                          const std::string& line) {
  log_.append(line_of_worker(worker, line)
                  .dump(-1, ' ', false, json::error_handler_t::replace));
}

result<nlohmann::ordered_json>
coordinator_service::logs(const arguments& words) const {
  constexpr double lines_max = 10'000;
  const auto name = word(words, "name");
  std::uint64_t count = 0;
  if (auto ok = read_number(words, "lines", 1, lines_max, count); !ok)
    return ok.error();
  auto out = json::array();
  const auto quoted =
      json(name).dump(-1, ' ', false, json::error_handler_t::replace);
  const auto is_about = [&](const std::string& line) {
    if (line.find(quoted) == std::string::npos) return false; // the usual case
    const auto read = json::parse(line, nullptr, false);
    const auto names = [&](const char* key) {
      const auto found = read.find(key);
      return found != read.end() && *found == name;
    };
    return read.is_object() && (names("run") || names("worker"));
  };
  for (const auto& line : log_.last(count, is_about))
    out.push_back(json::parse(line));
  if (out.empty())
    return error{ec::not_found,
                 fmt::format("the log has no line about a run or worker {}",
                             json_quoted(name))};
  return out;
}

} // namespace brewery
