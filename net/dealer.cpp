#include "net/dealer.hpp"

#include "base/file.hpp"
#include "messages/wire/frame.hpp"
#include "net/endpoint.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <sys/eventfd.h>
#include <unistd.h>
#include <zmq.hpp>

namespace brewery {

struct dealer::state {
  dealer_options options;
  zmq::context_t context{1};
  zmq::socket_t socket;
  zmq::socket_t monitor;
  file_descriptor wake;
  std::size_t next_key = 0;
  std::size_t connections = 0;
  bool was_refused = false;

  result<void> connect();
  void watch();
};

result<void> dealer::state::connect() {
  try {
    if (socket.handle()) zmq_socket_monitor(socket.handle(), nullptr, 0);
    monitor = zmq::socket_t{context, zmq::socket_type::pair};
    socket = zmq::socket_t{context, zmq::socket_type::dealer};
    socket.set(zmq::sockopt::routing_id, options.routing_id);
    socket.set(zmq::sockopt::immediate, true);
    socket.set(zmq::sockopt::linger, 500);
    socket.set(zmq::sockopt::maxmsgsize,
               static_cast<std::int64_t>(wire::max_frame_bytes));
    socket.set(zmq::sockopt::reconnect_ivl, 50);
    socket.set(zmq::sockopt::reconnect_ivl_max, 2000);
    socket.set(zmq::sockopt::handshake_ivl, 2000);
    if (options.keys) {
      const auto known = read_public_keys(options.server_keys);
      if (!known) return known.error();
      socket.set(zmq::sockopt::curve_serverkey,
                 (*known)[next_key++ % known->size()]);
      socket.set(zmq::sockopt::curve_publickey, options.keys->public_key);
      socket.set(zmq::sockopt::curve_secretkey, options.keys->secret_key);
    }
    const auto name = fmt::format("inproc://monitor-{}", ++connections);
    zmq_socket_monitor(socket.handle(), name.c_str(),
                       ZMQ_EVENT_HANDSHAKE_FAILED_AUTH);
    monitor.connect(name);
    was_refused = false; // applied to the previous connection
    socket.connect(options.connect);
  } catch (const zmq::error_t& failure) {
    return error{ec::io, fmt::format("cannot connect to {}: {}",
                                     options.connect, failure.what())};
  }
  return {};
}

void dealer::state::watch() {
  zmq::message_t event;
  while (monitor.recv(event, zmq::recv_flags::dontwait)) {
    while (event.more())
      (void)!monitor.recv(event, zmq::recv_flags::dontwait);
    was_refused = true;
  }
}

dealer::dealer(std::unique_ptr<state> opened) : state_(std::move(opened)) {}

dealer::~dealer() {
  zmq_socket_monitor(state_->socket.handle(), nullptr, 0);
}

result<std::unique_ptr<dealer>> dealer::open(const dealer_options& options) {
  if (auto ok = check_endpoint(options.connect); !ok) return ok.error();
  auto made = std::make_unique<state>();
  made->options = options;
  made->wake = file_descriptor{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  if (!made->wake) return file_error("make", "an event descriptor");
  if (auto ok = made->connect(); !ok) return ok.error();
  return std::unique_ptr<dealer>{new dealer{std::move(made)}};
}

bool dealer::send(const std::string& frame) {
  return state_->socket.send(zmq::buffer(frame), zmq::send_flags::dontwait)
      .has_value();
}

std::optional<std::string> dealer::receive() {
  zmq::message_t body;
  if (!state_->socket.recv(body, zmq::recv_flags::dontwait))
    return std::nullopt;
  const bool single = !body.more();
  auto text = body.to_string();
  while (body.more())
    (void)!state_->socket.recv(body, zmq::recv_flags::dontwait);
  return single ? std::optional{std::move(text)} : std::string{};
}

void dealer::wait(std::chrono::milliseconds longest) {
  std::array<zmq::pollitem_t, 3> items{
      zmq::pollitem_t{state_->socket.handle(), 0, ZMQ_POLLIN, 0},
      zmq::pollitem_t{nullptr, state_->wake.get(), ZMQ_POLLIN, 0},
      zmq::pollitem_t{state_->monitor.handle(), 0, ZMQ_POLLIN, 0}};
  zmq::poll(items.data(), items.size(), longest);
  if ((items[1].revents & ZMQ_POLLIN) != 0) {
    std::uint64_t count = 0;
    (void)!::read(state_->wake.get(), &count, sizeof count);
  }
  if ((items[2].revents & ZMQ_POLLIN) != 0) state_->watch();
}

void dealer::wake() {
  const std::uint64_t one = 1;
  (void)!::write(state_->wake.get(), &one, sizeof one);
}

result<void> dealer::reconnect() {
  return state_->connect();
}

bool dealer::refused() {
  return state_->was_refused;
}

} // namespace brewery
