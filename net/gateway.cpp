#include "net/gateway.hpp"

#include "base/file.hpp"
#include "messages/wire/frame.hpp"
#include "net/endpoint.hpp"
#include "net/free_descriptors.hpp"
#include "net/monitor_event.hpp"
#include "net/realtime_context.hpp"
#include "net/zap.hpp"

#include <fmt/format.h>

#include <atomic>
#include <deque>
#include <fcntl.h>
#include <mutex>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <zmq.hpp>

namespace brewery {

namespace {

using clock = std::chrono::steady_clock;

/// Limit of frames that wait for one peer that does not read; see `dropped`.
constexpr std::size_t max_backlog = 256;
/// Time after a broken connection until the peer is probed. A peer that has
/// reconnected by then is not gone.
constexpr std::chrono::milliseconds probe_after{20};
constexpr int frames_per_turn = 512;
/// libzmq's ZMQ_ZAP_ENFORCE_DOMAIN, which its header declares only as a draft.
constexpr int zap_enforce_domain = 93;

struct outgoing {
  peer_name peer;
  std::shared_ptr<const std::string> frame;
};

} // namespace

struct gateway::state {
  gateway_calls calls;
  std::function<void()> on_plaintext; ///< empty where there are no keys
  zmq::context_t context{2};
  std::unique_ptr<zap_handler> zap;
  zmq::socket_t router, monitor;
  std::string endpoint;
  file_descriptor wake;
  std::mutex mutex;
  std::vector<outgoing> outbox; ///< guarded by mutex
  bool is_woken = false;        ///< guarded by mutex: the thread will look soon
  /// Frames for peers that do not read. No queue is empty.
  std::unordered_map<peer_name, std::deque<std::shared_ptr<const std::string>>>
      backlog;
  std::unordered_map<peer_name, int> socket_of;
  std::unordered_map<int, peer_name> peer_at;
  std::deque<std::pair<clock::time_point, peer_name>> pending_probes;
  int listener = -1; ///< libzmq's; -1: it does not listen
  /// Given up for the moment in which there is no other.
  file_descriptor spare;
  std::atomic<std::uint64_t> dropped{0};
  std::atomic<clock::time_point> last_turn{clock::now()};
  std::atomic<bool> done{false};
  std::thread thread;

  void open_sockets();
  void run();
  void receive();
  void watch();
  void deliver();
  void deliver(const outgoing& item);
  void deliver_backlog();
  void probe();
  void gone(int socket);
  void handshake_failed(int why) const;
  void listens(int socket);
  void accepted(int socket) const;
  void turn_away();
  void keep_spare();
  enum class sent { yes, full, gone };
  sent try_send(const outgoing& item);
};

/// The first socket of the context begins its threads.
void gateway::state::open_sockets() {
  router = zmq::socket_t{context, zmq::socket_type::router};
  monitor = zmq::socket_t{context, zmq::socket_type::pair};
}

void gateway::state::receive() {
  for (int i = 0; i < frames_per_turn; ++i) {
    zmq::message_t id, body;
    if (!router.recv(id, zmq::recv_flags::dontwait)) return;
    if (!id.more()) continue;
    (void)!router.recv(body, zmq::recv_flags::dontwait);
    const bool single = !body.more();
    while (body.more()) // not a frame of ours
      (void)!router.recv(body, zmq::recv_flags::dontwait);
    if (!single) {
      if (calls.on_garbage) calls.on_garbage();
      continue;
    }
    peer_name peer{id.to_string()};
    const int socket = zmq_msg_get(body.handle(), ZMQ_SRCFD);
    auto& known = socket_of[peer];
    if (known != socket) {
      peer_at.erase(known);
      known = socket;
      auto& holder = peer_at[socket];
      // The socket number was reused, so a disconnect event would name the
      // wrong peer. Probe the previous peer instead.
      if (!holder.empty() && holder != peer) {
        pending_probes.emplace_back(clock::now() + probe_after, holder);
        socket_of.erase(holder);
      }
      holder = peer;
    }
    const char* key = zmq_msg_gets(body.handle(), "User-Id");
    calls.on_frame(peer, key ? key : "", body.to_string());
  }
}

void gateway::state::watch() {
  bool exhausted = false;
  while (const auto event = next_event(monitor)) {
    const auto [what, value] = *event;
    if (what == ZMQ_EVENT_DISCONNECTED)
      gone(value);
    else if (what == ZMQ_EVENT_LISTENING)
      listens(value);
    else if (what == ZMQ_EVENT_ACCEPTED)
      accepted(value);
    else if (what != ZMQ_EVENT_ACCEPT_FAILED)
      handshake_failed(what == ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL ? value : 0);
    else if (value == EMFILE || value == ENFILE)
      exhausted = true;
  }
  if (exhausted) turn_away();
}

/// `why`: libzmq's number of the protocol's breach, or 0.
void gateway::state::handshake_failed(int why) const {
  if (calls.on_garbage) calls.on_garbage();
  if (why == ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH && on_plaintext)
    on_plaintext();
}

void gateway::state::gone(int socket) {
  const auto it = peer_at.find(socket);
  if (it == peer_at.end()) return;
  pending_probes.emplace_back(clock::now() + probe_after, it->second);
  socket_of.erase(it->second);
  peer_at.erase(it);
}

void gateway::state::listens(int socket) {
  listener = socket;
  // Two accept from it.
  ::fcntl(listener, F_SETFL, ::fcntl(listener, F_GETFL) | O_NONBLOCK);
}

/// Whoever waits to be accepted is, with the descriptor that was kept, and is
/// hung up on: else libzmq would try again at once, for ever, with the whole of
/// a processor. Peers come again by themselves, ever less often; those who are
/// connected notice nothing.
void gateway::state::turn_away() {
  spare = {};
  while (file_descriptor{::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)}) {
  }
  keep_spare();
  if (calls.on_exhausted) calls.on_exhausted();
}

void gateway::state::keep_spare() {
  if (!spare) spare = file_descriptor{::fcntl(wake.get(), F_DUPFD_CLOEXEC, 0)};
}

/// libzmq may be quicker than `turn_away` and take the spare descriptor.
void gateway::state::accepted(int socket) const {
  if (!spare) ::shutdown(socket, SHUT_RDWR);
}

gateway::state::sent gateway::state::try_send(const outgoing& item) {
  try {
    const auto begun =
        router.send(zmq::buffer(item.peer),
                    zmq::send_flags::sndmore | zmq::send_flags::dontwait);
    if (!begun) return sent::full;
    return router.send(zmq::buffer(*item.frame), zmq::send_flags::dontwait)
               ? sent::yes
               : sent::full;
  } catch (const zmq::error_t& failure) {
    if (failure.num() == EHOSTUNREACH) return sent::gone;
    if (failure.num() == EAGAIN) return sent::full;
    throw;
  }
}

void gateway::state::deliver_backlog() {
  for (auto it = backlog.begin(); it != backlog.end();) {
    auto& [peer, frames] = *it;
    auto outcome = sent::yes;
    while (!frames.empty() && outcome == sent::yes) {
      outcome = try_send({peer, frames.front()});
      if (outcome == sent::yes) frames.pop_front();
    }
    if (outcome == sent::gone) {
      calls.on_gone(peer);
      frames.clear();
    }
    it = frames.empty() ? backlog.erase(it) : std::next(it);
  }
}

void gateway::state::deliver(const outgoing& item) {
  // Frames for the same peer stay in order: queue behind waiting ones.
  const auto before = backlog.find(item.peer);
  const auto outcome = before == backlog.end() ? try_send(item) : sent::full;
  if (outcome == sent::gone) calls.on_gone(item.peer);
  if (outcome != sent::full) return;
  auto& frames = before == backlog.end() ? backlog[item.peer] : before->second;
  if (frames.size() < max_backlog)
    frames.push_back(item.frame);
  else
    ++dropped;
}

void gateway::state::deliver() {
  std::vector<outgoing> fresh;
  {
    const std::lock_guard lock{mutex};
    fresh.swap(outbox);
    is_woken = false;
  }
  deliver_backlog();
  for (const auto& item : fresh)
    deliver(item);
}

void gateway::state::probe() {
  // A probe. Workers ignore it, because it belongs to no session.
  static const auto nothing =
      std::make_shared<const std::string>(wire::frame(heartbeat_reply{}));
  while (!pending_probes.empty()
         && pending_probes.front().first <= clock::now()) {
    const auto peer = std::move(pending_probes.front().second);
    pending_probes.pop_front();
    if (try_send({peer, nothing}) == sent::gone) calls.on_gone(peer);
  }
}

void gateway::state::run() {
  std::array<zmq::pollitem_t, 3> items{
      zmq::pollitem_t{router.handle(), 0, ZMQ_POLLIN, 0},
      zmq::pollitem_t{monitor.handle(), 0, ZMQ_POLLIN, 0},
      zmq::pollitem_t{nullptr, wake.get(), ZMQ_POLLIN, 0}};
  for (;;) {
    constexpr std::chrono::milliseconds idle{200}, busy{5};
    zmq::poll(items.data(), items.size(),
              pending_probes.empty() && backlog.empty() && spare ? idle : busy);
    last_turn = clock::now();
    if ((items[2].revents & ZMQ_POLLIN) != 0) {
      std::uint64_t count = 0;
      (void)!::read(wake.get(), &count, sizeof count);
    }
    if ((items[1].revents & ZMQ_POLLIN) != 0) watch();
    if ((items[0].revents & ZMQ_POLLIN) != 0) receive();
    deliver();
    probe();
    keep_spare();
    const std::lock_guard lock{mutex};
    if (done && outbox.empty()) return;
  }
}

gateway::gateway(std::unique_ptr<state> started) : state_(std::move(started)) {}

namespace {

result<void> check_options(const gateway_options& options) {
  if (auto ok = check_endpoint(options.listen); !ok) return ok;
  if (!options.keys && !is_local_endpoint(options.listen)
      && !options.insecure_plaintext_anywhere)
    return error{
        ec::invalid_argument,
        fmt::format("refusing to listen on {} without encryption: make keys "
                    "with `brewery keys new`, listen on 127.0.0.1, or, on a "
                    "network where everyone may read and forge everything, "
                    "pass --insecure-plaintext-anywhere",
                    options.listen)};
  return {};
}

void set_socket_options(zmq::socket_t& router) {
  router.set(zmq::sockopt::router_mandatory, true);
  router.set(zmq::sockopt::router_handover, true);
  router.set(zmq::sockopt::maxmsgsize,
             static_cast<std::int64_t>(wire::max_frame_bytes));
  router.set(zmq::sockopt::backlog, 4096);
  router.set(zmq::sockopt::linger, 500);
  router.set(zmq::sockopt::tcp_keepalive, 1);
  router.set(zmq::sockopt::tcp_keepalive_idle, 30);
  router.set(zmq::sockopt::handshake_ivl, 5000);
}

} // namespace

result<std::unique_ptr<gateway>> gateway::start(const gateway_options& options,
                                                gateway_calls calls) {
  if (auto ok = check_options(options); !ok) return ok.error();
  if (auto ok = check_free_descriptors(gateway_descriptors); !ok)
    return error{ok.error().code,
                 fmt::format("cannot listen on {}: {}", options.listen,
                             ok.error().message)};
  auto made = std::make_unique<state>();
  made->calls = std::move(calls);
  try {
    if (options.realtime) begin_in_realtime(made->context);
    made->open_sockets();
    set_socket_options(made->router);
    if (options.keys) {
      made->on_plaintext = options.on_plaintext;
      made->zap = std::make_unique<zap_handler>(
          made->context, options.key_directory, made->calls.on_refused,
          made->calls.on_unjudged);
      const int enforce = 1;
      zmq_setsockopt(made->router.handle(), zap_enforce_domain, &enforce,
                     sizeof enforce);
      made->router.set(zmq::sockopt::zap_domain, zap_handler::domain);
      made->router.set(zmq::sockopt::curve_server, true);
      made->router.set(zmq::sockopt::curve_secretkey, options.keys->secret_key);
    }
    constexpr const char* monitored = "inproc://monitor";
    zmq_socket_monitor(made->router.handle(), monitored,
                       ZMQ_EVENT_LISTENING | ZMQ_EVENT_ACCEPTED
                           | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_ACCEPT_FAILED
                           | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
                           | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL);
    made->monitor.connect(monitored);
    made->router.bind(options.listen);
    made->endpoint = made->router.get(zmq::sockopt::last_endpoint);
  } catch (const zmq::error_t& failure) {
    return error{
        failure.num() == EADDRINUSE ? ec::in_use : ec::io,
        fmt::format("cannot listen on {}: {}", options.listen, failure.what())};
  }
  made->wake = file_descriptor{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  if (!made->wake) return file_error("make", "an event descriptor");
  made->keep_spare();
  made->thread =
      std::thread{[running = made.get(), realtime = options.realtime] {
        if (realtime) schedule_in_realtime();
        running->run();
      }};
  return std::unique_ptr<gateway>{new gateway{std::move(made)}};
}

gateway::~gateway() {
  state_->done = true;
  const std::uint64_t one = 1;
  (void)!::write(state_->wake.get(), &one, sizeof one);
  state_->thread.join();
  zmq_socket_monitor(state_->router.handle(), nullptr, 0);
}

void gateway::send(const peer_name& peer,
                   std::shared_ptr<const std::string> frame) {
  {
    const std::lock_guard lock{state_->mutex};
    state_->outbox.push_back({peer, std::move(frame)});
    if (std::exchange(state_->is_woken, true)) return;
  }
  const std::uint64_t one = 1;
  (void)!::write(state_->wake.get(), &one, sizeof one);
}

std::string gateway::endpoint() const {
  return state_->endpoint;
}

std::uint64_t gateway::dropped() const {
  return state_->dropped;
}

std::chrono::steady_clock::time_point gateway::last_turn() const {
  return state_->last_turn;
}

} // namespace brewery
