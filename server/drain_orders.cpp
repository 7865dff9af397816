/// The order to drain a worker, and its memory over restarts.

#include "base/file.hpp"
#include "base/text.hpp"
#include "messages/json.hpp"
#include "server/coordinator_service.hpp"
#include "server/order_words.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace brewery {

namespace {

std::filesystem::path drains_file(const std::filesystem::path& runs_dir) {
  return runs_dir / ".coordinator" / "draining";
}

} // namespace

/// Before workers are let in: none gets a job in between. What is damaged is
/// left out, as an order can be given again and a coordinator has to start.
void coordinator_service::drain_as_before() const {
  const auto text = read_plain_file(drains_file(options_.runs_dir));
  if (!text) {
    if (text.error().code != ec::not_found)
      spdlog::warn("workers that were told to drain are not known: {}",
                   text.error().message);
    return;
  }
  for (const auto line : split(*text, '\n'))
    if (is_random_id(line)) (void)runtime_->drain(std::string{line});
}

/// Only orders write it: processes that have left since do no harm in it, as no
/// other process gets their incarnation.
void coordinator_service::keep_drains(const pool_status& now) const {
  std::string text;
  for (const auto& incarnation : now.draining)
    if (is_random_id(incarnation)) text += incarnation + '\n';
  if (auto ok = write_file_atomically(drains_file(options_.runs_dir), text);
      !ok)
    spdlog::warn("the order to drain would be lost if this coordinator were "
                 "started again: {}",
                 ok.error().message);
}

result<nlohmann::ordered_json>
coordinator_service::drain(const arguments& words) {
  const auto name = word(words, "worker");
  const auto count = runtime_->drain(name);
  const auto now = runtime_->status();
  if (now) keep_drains(*now);
  if (count > 0) return nlohmann::ordered_json{{"workers", count}};
  if (now && std::ranges::count(now->draining, name) > 0)
    return error{ec::not_found,
                 fmt::format("no worker {} is connected; should one of this "
                             "incarnation come back, it drains",
                             json_quoted(name))};
  std::vector<std::string> names;
  if (now)
    for (const auto& worker : now->workers)
      names.push_back(worker.spec.name);
  return error{ec::not_found,
               fmt::format("no worker {} is connected{}", json_quoted(name),
                           suggest_choice(name, names))};
}

} // namespace brewery
