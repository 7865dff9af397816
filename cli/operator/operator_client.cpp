#include "cli/operator/operator_client.hpp"

#include "base/text.hpp"
#include "messages/wire/frame.hpp"

#include <fmt/format.h>

#include <csignal>

namespace brewery {

namespace {

/// "the order submit of wide".
std::string order_text(const std::string& verb, const order_words& words) {
  for (const auto* about : {"id", "group", "worker"})
    if (const auto it = words.find(about);
        it != words.end() && !it->second.empty())
      return fmt::format("the order {} of {}", verb, it->second);
  return "the order " + verb;
}

/// What a coordinator refused, as it said why. One of an older release says no
/// code, one of a newer release maybe one that is unknown here. Who asked would
/// take a timeout for no answer, and a cancellation for its own.
error refusal_of(const operator_reply& reply) {
  const auto code = static_cast<ec>(reply.code);
  const bool known =
      reply.code > 0
      && reply.code <= static_cast<std::uint32_t>(wire::enum_range<ec>::last)
      && code != ec::timeout && code != ec::cancelled;
  return {known ? code : ec::io, reply.error};
}

} // namespace

result<operator_client>
operator_client::open(const connection_arguments& where) {
  const auto options = dealer_options_of(where, "operator-" + random_id());
  if (!options) return options.error();
  auto wire = dealer::open(*options);
  if (!wire) return wire.error();
  return operator_client{where, std::move(*wire)};
}

/// The answer to the last order, if it has arrived.
std::optional<result<operator_reply>> operator_client::arrived() {
  while (auto bytes = wire_->receive()) {
    auto message = wire::unframe(*bytes);
    if (!message) continue;
    auto* reply = std::get_if<operator_reply>(&*message);
    if (!reply || reply->number != number_) continue;
    if (!reply->error.empty()) return refusal_of(*reply);
    return std::move(*reply);
  }
  return std::nullopt;
}

result<operator_reply> operator_client::ask(const std::string& verb,
                                            order_words words, sending how) {
  using clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds repeat_after{2};
  constexpr std::chrono::milliseconds at_once{500};
  const auto began = clock::now();
  const auto deadline = began
                        + std::chrono::milliseconds{static_cast<std::int64_t>(
                            where_.patience_s * 1000)};
  const auto may_change =
      how == sending::repeat ? std::string{} : order_text(verb, words);
  const auto frame =
      wire::frame(operator_request{++number_, verb, std::move(words)});
  bool sent = false, ever = false;
  auto repeat_at = began + repeat_after;
  while (clock::now() < deadline) {
    if (how != sending::once && clock::now() >= repeat_at) {
      repeat_at = clock::now() + repeat_after;
      sent = false;
      // After a cut, the connection can look alive for minutes.
      if (auto ok = wire_->reconnect(); !ok) return ok.error();
    }
    if (!sent) sent = wire_->send(frame);
    ever |= sent;
    wire_->wait(std::chrono::milliseconds{sent ? 100 : 5});
    if (wire_->refused())
      return error{ec::invalid_argument,
                   fmt::format("the coordinator at {} does not allow this key",
                               where_.connect)};
    if (auto reply = arrived()) return std::move(*reply);
    if (stopped_ && clock::now() - began >= at_once && stopped_())
      return error{ec::cancelled, "stopped before a coordinator answered"};
  }
  return not_answered(ever, may_change);
}

/// `may_change`: the order, if it changes something.
error operator_client::not_answered(bool was_sent,
                                    const std::string& may_change) const {
  if (!was_sent)
    return {ec::timeout,
            fmt::format("no coordinator answered at {} within {} s; is it "
                        "running, and are the keys right?",
                        where_.connect, where_.patience_s)};
  auto out = fmt::format("the coordinator at {} did not answer within {} s",
                         where_.connect, where_.patience_s);
  if (!may_change.empty())
    out += fmt::format("; {} may be carried out all the same: see `brewery "
                       "status` before you try again",
                       may_change);
  return {ec::timeout, std::move(out)};
}

result<nlohmann::ordered_json>
operator_client::ask_json(const std::string& verb, order_words words,
                          sending how) {
  const auto reply = ask(verb, std::move(words), how);
  if (!reply) return reply.error();
  auto body = nlohmann::ordered_json::parse(reply->body, nullptr, false);
  if (body.is_discarded())
    return error{ec::malformed, "the coordinator's answer is not JSON"};
  return body;
}

result<nlohmann::ordered_json>
ask_coordinator(const connection_arguments& where, const std::string& verb,
                order_words words, operator_client::sending how,
                std::function<bool()> stopped) {
  auto client = operator_client::open(where);
  if (!client) return client.error();
  client->stop_when(std::move(stopped));
  return client->ask_json(verb, std::move(words), how);
}

} // namespace brewery
