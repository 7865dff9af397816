#include "net/zap.hpp"

#include <array>
#include <vector>

namespace brewery {

namespace {

std::string z85_of(const zmq::message_t& key) {
  if (key.size() != 32) return {};
  std::array<char, 41> text{};
  zmq_z85_encode(text.data(), key.data<std::uint8_t>(), key.size());
  return text.data();
}

void send(zmq::socket_t& socket, std::string_view part, bool more) {
  socket.send(zmq::buffer(part),
              more ? zmq::send_flags::sndmore : zmq::send_flags::none);
}

} // namespace

zap_handler::zap_handler(zmq::context_t& context,
                         std::filesystem::path key_directory,
                         std::function<void(std::string_view)> on_refused,
                         std::function<void(std::string_view)> on_unjudged)
    : socket_(context, zmq::socket_type::rep), keys_(std::move(key_directory)),
      on_refused_(std::move(on_refused)), on_unjudged_(std::move(on_unjudged)) {
  constexpr int poll_interval_ms = 100;
  socket_.set(zmq::sockopt::rcvtimeo, poll_interval_ms);
  socket_.set(zmq::sockopt::linger, 0);
  socket_.bind("inproc://zeromq.zap.01");
  thread_ = std::thread{[this] { run(); }};
}

zap_handler::~zap_handler() {
  done_ = true;
  thread_.join();
}

std::string_view zap_handler::verdict_on(const std::string& public_key) {
  if (public_key.empty()) return zap::revoked;
  // From disk each time: a key that was just revoked is refused at once.
  const auto peer = keys_.find(public_key);
  if (!peer) {
    // No refusal while a file cannot be read: all workers would end.
    if (on_unjudged_) on_unjudged_(peer.error().message);
    return zap::not_now;
  }
  if (!*peer) return zap::unknown;
  return (*peer)->revoked ? zap::revoked : zap::allowed;
}

void zap_handler::run() {
  while (!done_) {
    // version, request id, domain, address, identity, mechanism, credentials
    std::vector<zmq::message_t> parts;
    do {
      zmq::message_t part;
      if (!socket_.recv(part)) break;
      parts.push_back(std::move(part));
    } while (parts.back().more());
    if (parts.empty()) continue;
    const auto key = parts.size() == 7 && parts[5].to_string_view() == "CURVE"
                         ? z85_of(parts[6])
                         : std::string{};
    const auto verdict = verdict_on(key);
    const bool good = verdict == zap::allowed;
    if (!good && verdict != zap::not_now && on_refused_) on_refused_(key);
    send(socket_, "1.0", true);
    send(socket_, parts.size() > 1 ? parts[1].to_string_view() : "", true);
    send(socket_, verdict, true);
    send(socket_, good ? "OK" : "this key is not allowed", true);
    send(socket_, good ? key : std::string{}, true);
    send(socket_, "", false);
  }
}

} // namespace brewery
