#include "run/setup/server_limits.hpp"

#include "base/file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace brewery {

server_limits limits_of(const model_catalog& catalog) {
  server_limits out;
  for (const auto& [name, server] : catalog.servers) {
    const auto add = [&, &of = name](const char* key, auto value) {
      out[fmt::format("server.{}.{}", of, key)] = fmt::format("{}", value);
    };
    add("connect_timeout_ms", server.timeouts.connect.count());
    add("first_byte_timeout_ms", server.timeouts.first_byte.count());
    add("idle_timeout_ms", server.timeouts.idle.count());
    add("total_timeout_ms", server.timeouts.total.count());
    add("max_retries", server.retry.most_retries);
    add("retry_paid", server.retry.retry_ambiguous);
    add("initial_concurrency", server.initial_concurrency);
    add("max_concurrency", server.most_concurrency);
  }
  return out;
}

std::vector<std::string> changed_limits(const server_limits& before,
                                        const server_limits& now) {
  std::vector<std::string> out;
  for (const auto& [key, value] : now)
    if (const auto was = before.find(key);
        was != before.end() && was->second != value)
      out.push_back(fmt::format("{}: {} -> {}", key, was->second, value));
  return out;
}

result<std::vector<std::string>> note_limits(const std::filesystem::path& run,
                                             const server_limits& now) {
  const auto file = run / "models" / "limits.json";
  server_limits before;
  if (const auto text = read_file(file)) {
    const auto stored = nlohmann::json::parse(*text, nullptr, false);
    if (stored.is_object())
      for (const auto& [key, value] : stored.items())
        if (value.is_string()) before[key] = value.get<std::string>();
  }
  if (before != now)
    if (auto ok =
            write_file_atomically(file, nlohmann::json(now).dump(2) + '\n');
        !ok)
      return ok.error();
  return changed_limits(before, now);
}

} // namespace brewery
