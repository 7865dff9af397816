#include "cli/operator/operator_client.hpp"

#include "messages/wire/frame.hpp"

#include <fmt/format.h>

#include <csignal>

namespace brewery {

result<nlohmann::ordered_json>
ask_coordinator(const connection_arguments& where, const std::string& verb,
                std::map<std::string, std::string> words) {
  const auto options = dealer_options_of(where, "operator-" + random_id());
  if (!options) return options.error();
  auto wire = dealer::open(*options);
  if (!wire) return wire.error();
  using clock = std::chrono::steady_clock;
  const auto deadline = clock::now()
                        + std::chrono::milliseconds{
                            static_cast<std::int64_t>(where.patience_s * 1000)};
  const auto frame = wire::frame(operator_request{1, verb, std::move(words)});
  // An order is sent only once: it might be carried out twice.
  bool sent = false;
  while (clock::now() < deadline) {
    if (!sent) sent = (*wire)->send(frame);
    (*wire)->wait(std::chrono::milliseconds{sent ? 100 : 5});
    if ((*wire)->refused())
      return error{ec::invalid_argument,
                   fmt::format("the coordinator at {} does not allow this key",
                               where.connect)};
    while (auto bytes = (*wire)->receive()) {
      const auto message = wire::unframe(*bytes);
      if (!message) continue;
      const auto* reply = std::get_if<operator_reply>(&*message);
      if (!reply || reply->number != 1) continue;
      if (!reply->error.empty()) return error{ec::io, reply->error};
      auto body = nlohmann::ordered_json::parse(reply->body, nullptr, false);
      if (body.is_discarded())
        return error{ec::malformed, "the coordinator's answer is not JSON"};
      return body;
    }
  }
  return error{
      ec::timeout,
      sent ? fmt::format("the coordinator at {} did not answer within {} s",
                         where.connect, where.patience_s)
           : fmt::format("no coordinator answered at {} within {} s; is it "
                         "running, and are the keys right?",
                         where.connect, where.patience_s)};
}

} // namespace brewery
