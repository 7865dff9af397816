#include "net/dealer.hpp"

#include "base/file.hpp"
#include "messages/wire/frame.hpp"
#include "net/endpoint.hpp"
#include "net/free_descriptors.hpp"
#include "net/monitor_event.hpp"
#include "net/realtime_context.hpp"
#include "net/zap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sys/eventfd.h>
#include <unistd.h>
#include <zmq.hpp>

namespace brewery {

namespace {

using clock = std::chrono::steady_clock;

} // namespace

struct dealer::state {
  dealer_options options;
  zmq::context_t context{1};
  zmq::socket_t socket;
  zmq::socket_t monitor;
  file_descriptor wake;
  std::size_t next_key = 0;
  std::size_t connections = 0;
  int refusal = 0; ///< ZAP's status code; 0: not refused
  /// The pause after a handshake that failed; longer after each further one.
  std::chrono::milliseconds pause{0};
  std::optional<clock::time_point> again_at; ///< while it pauses

  result<std::string> next_server_key();
  result<void> connect();
  void configure(zmq::socket_t& made, const std::string& server_key) const;
  void watch();
  void rest();
  void go_on();
};

/// libzmq itself would come again 50 ms after every refusal, and a coordinator
/// that turns everybody away would have time for nothing else.
void dealer::state::rest() {
  if (again_at) return;
  constexpr std::chrono::milliseconds first{100}, longest{5000};
  pause = std::clamp(2 * pause, first, longest);
  again_at = clock::now() + pause;
  zmq_disconnect(socket.handle(), options.connect.c_str());
}

void dealer::state::go_on() {
  if (!again_at || clock::now() < *again_at) return;
  again_at.reset();
  zmq_connect(socket.handle(), options.connect.c_str());
}

/// Empty for plaintext.
result<std::string> dealer::state::next_server_key() {
  if (!options.keys) return std::string{};
  const auto known = read_public_keys(options.server_keys);
  if (!known) return known.error();
  return (*known)[next_key++ % known->size()];
}

void dealer::state::configure(zmq::socket_t& made,
                              const std::string& server_key) const {
  made.set(zmq::sockopt::routing_id, options.routing_id);
  made.set(zmq::sockopt::immediate, true);
  made.set(zmq::sockopt::linger, 500);
  made.set(zmq::sockopt::maxmsgsize,
           static_cast<std::int64_t>(wire::max_frame_bytes));
  made.set(zmq::sockopt::reconnect_ivl, 50);
  made.set(zmq::sockopt::reconnect_ivl_max, 2000);
  made.set(zmq::sockopt::handshake_ivl, 2000);
  if (!options.keys) return;
  made.set(zmq::sockopt::curve_serverkey, server_key);
  made.set(zmq::sockopt::curve_publickey, options.keys->public_key);
  made.set(zmq::sockopt::curve_secretkey, options.keys->secret_key);
}

/// A socket that lacks its keys would connect in plaintext, so it takes the
/// place of the other only when it has them.
result<void> dealer::state::connect() {
  const auto server_key = next_server_key();
  if (!server_key) return server_key.error();
  try {
    zmq::socket_t made{context, zmq::socket_type::dealer};
    zmq::socket_t listening{context, zmq::socket_type::pair};
    configure(made, *server_key);
    again_at.reset(); // was the other's
    if (socket.handle()) zmq_socket_monitor(socket.handle(), nullptr, 0);
    monitor = std::move(listening);
    socket = std::move(made);
    const auto name = fmt::format("inproc://monitor-{}", ++connections);
    zmq_socket_monitor(socket.handle(), name.c_str(),
                       ZMQ_EVENT_HANDSHAKE_SUCCEEDED
                           | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
                           | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL);
    monitor.connect(name);
    refusal = 0; // applied to the previous connection
    socket.connect(options.connect);
  } catch (const zmq::error_t& failure) {
    return error{ec::io, fmt::format("cannot connect to {}: {}",
                                     options.connect, failure.what())};
  }
  return {};
}

void dealer::state::watch() {
  while (const auto event = next_event(monitor)) {
    if (event->what == ZMQ_EVENT_HANDSHAKE_SUCCEEDED) {
      pause = {};
      refusal = 0;
      continue;
    }
    if (event->what == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH) refusal = event->value;
    rest();
  }
}

dealer::dealer(std::unique_ptr<state> opened) : state_(std::move(opened)) {}

dealer::~dealer() {
  zmq_socket_monitor(state_->socket.handle(), nullptr, 0);
}

result<std::unique_ptr<dealer>> dealer::open(const dealer_options& options) {
  if (auto ok = check_endpoint(options.connect); !ok) return ok.error();
  if (auto ok = check_free_descriptors(dealer_descriptors); !ok)
    return error{ok.error().code,
                 fmt::format("cannot connect to {}: {}", options.connect,
                             ok.error().message)};
  auto made = std::make_unique<state>();
  made->options = options;
  made->wake = file_descriptor{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  if (!made->wake) return file_error("make", "an event descriptor");
  if (options.realtime) begin_in_realtime(made->context);
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
  if (const auto until = state_->again_at)
    longest = std::min(longest,
                       std::chrono::ceil<std::chrono::milliseconds>(
                           std::max(*until - clock::now(), clock::duration{})));
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
  state_->go_on();
}

void dealer::wake() {
  const std::uint64_t one = 1;
  (void)!::write(state_->wake.get(), &one, sizeof one);
}

result<void> dealer::reconnect() {
  return state_->connect();
}

bool dealer::refused() const {
  return state_->refusal != 0;
}

bool dealer::revoked() const {
  return std::to_string(state_->refusal) == zap::revoked;
}

} // namespace brewery
