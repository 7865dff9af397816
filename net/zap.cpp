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
                         std::filesystem::path key_directory)
    : socket_(context, zmq::socket_type::rep), keys_(std::move(key_directory)) {
  constexpr int look_up_every_ms = 100;
  socket_.set(zmq::sockopt::rcvtimeo, look_up_every_ms);
  socket_.set(zmq::sockopt::linger, 0);
  socket_.bind("inproc://zeromq.zap.01");
  thread_ = std::thread{[this] { run(); }};
}

zap_handler::~zap_handler() {
  done_ = true;
  thread_.join();
}

bool zap_handler::allowed(const std::string& public_key) const {
  // From disk each time: a key that was just revoked is refused at once.
  const auto peers = key_directory{keys_}.list();
  if (!peers || public_key.empty()) return false;
  for (const auto& peer : *peers)
    if (!peer.revoked && peer.public_key == public_key) return true;
  return false;
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
    const bool good = allowed(key);
    send(socket_, "1.0", true);
    send(socket_, parts.size() > 1 ? parts[1].to_string_view() : "", true);
    // 300 would make the peer try for ever; 400 tells it that it is refused.
    send(socket_, good ? "200" : "400", true);
    send(socket_, good ? "OK" : "this key is not allowed", true);
    send(socket_, good ? key : std::string{}, true);
    send(socket_, "", false);
  }
}

} // namespace brewery
