#include "workers/worker_acceptor.hpp"

#include "base/printable.hpp"
#include "cluster/job_spec.hpp"
#include "messages/wire/frame_batch.hpp"

#include <fmt/format.h>

namespace brewery {

// -- peer_router -------------------------------------------------------------

void peer_router::frame(const std::string& peer, std::string_view key,
                        std::string bytes) {
  const bool hello = wire::kind_name(bytes) == worker_hello::type_name;
  auto shared = std::make_shared<const std::string>(std::move(bytes));
  if (!hello) {
    remote_worker_actor proxy;
    {
      const std::lock_guard lock{mutex_};
      const auto it = peers_.find(peer);
      // The same name with another key is a different peer.
      if (it != peers_.end() && it->second.key == key) proxy = it->second.proxy;
    }
    if (proxy) return caf::anon_send(proxy, arrived_message{std::move(shared)});
  }
  caf::anon_send(acceptor_,
                 arrived_frame{peer, std::string{key}, std::move(shared)});
}

void peer_router::gone(const std::string& peer) {
  remote_worker_actor proxy;
  {
    const std::lock_guard lock{mutex_};
    const auto it = peers_.find(peer);
    if (it == peers_.end()) return;
    proxy = it->second.proxy;
  }
  caf::anon_send(proxy, atom::gone_v);
}

void peer_router::connect(const std::string& peer, const std::string& key,
                          remote_worker_actor proxy) {
  const std::lock_guard lock{mutex_};
  peers_[peer] = {key, std::move(proxy)};
}

remote_worker_actor peer_router::disconnect(const std::string& peer) {
  const std::lock_guard lock{mutex_};
  const auto it = peers_.find(peer);
  if (it == peers_.end()) return {};
  auto proxy = std::move(it->second.proxy);
  peers_.erase(it);
  return proxy;
}

void peer_router::ended(const std::string& peer, const caf::actor_addr& proxy) {
  const std::lock_guard lock{mutex_};
  const auto it = peers_.find(peer);
  // A newer proxy may have taken its place.
  if (it != peers_.end() && it->second.proxy.address() == proxy)
    peers_.erase(it);
}

std::vector<peer_router::peer_entry> peer_router::all() const {
  const std::lock_guard lock{mutex_};
  std::vector<peer_entry> out;
  for (const auto& [peer, known] : peers_)
    out.push_back(known);
  return out;
}

std::size_t peer_router::size() const {
  const std::lock_guard lock{mutex_};
  return peers_.size();
}

peer_kind_lookup all_are_workers() {
  return [](const std::vector<std::string>& keys) {
    return std::vector(keys.size(), result<std::string>{"worker"});
  };
}

// -- worker_acceptor ---------------------------------------------------------

namespace {

using acceptor_self =
    worker_acceptor_actor::stateful_pointer<worker_acceptor_state>;

template <class T>
void send(worker_acceptor_state& state, const std::string& peer,
          const T& message) {
  state.in.send(peer,
                std::make_shared<const std::string>(wire::frame(message)));
}

void refuse(worker_acceptor_state& state, const std::string& peer,
            const std::string& who, const std::string& why,
            bool hello_again = false) {
  if (state.in.on_refused) state.in.on_refused(why);
  if (state.in.on_event)
    state.in.on_event(
        single_line(fmt::format("refused {}: {}", who, why), shown_bytes_max));
  send(state, peer, peer_refusal{0, why, hello_again});
}

constexpr const char* revoked_key = "its key is revoked";

result<std::string> kind_of(worker_acceptor_state& state,
                            const std::string& key) {
  return state.in.peer_kinds_of({key}).front();
}

/// A key that cannot be looked up now keeps its sessions.
checked_sessions check_keys(acceptor_self self) {
  auto& state = state_of(self);
  const auto peers = state.in.router->all();
  std::vector<std::string> keys;
  for (const auto& peer : peers)
    keys.push_back(peer.key);
  const auto kinds = state.in.peer_kinds_of(keys);
  checked_sessions out;
  for (std::size_t i = 0; i < peers.size(); ++i) {
    if (!kinds[i]) {
      if (++out.unknown == 1) out.why = kinds[i].error().message;
    } else if (*kinds[i] != "worker") {
      tell(self, peers[i].proxy, atom::stop_v, std::string{revoked_key});
      ++out.ended;
    }
  }
  return out;
}

void greet(acceptor_self self, const arrived_frame& from, worker_hello& hello) {
  auto& state = state_of(self);
  // The name appears in logs, errors and `brewery workers`.
  hello.worker = single_line(hello.worker, shown_bytes_max);
  hello.host = single_line(hello.host, shown_bytes_max);
  const auto who = fmt::format("worker {}", hello.worker);
  if (const auto why = refusal_of(hello); !why.empty())
    return refuse(state, from.peer, who, why);
  const auto role = kind_of(state, from.key);
  if (!role) return refuse(state, from.peer, who, role.error().message, true);
  if (*role != "worker")
    return refuse(state, from.peer, who,
                  role->empty() ? revoked_key
                                : "its key is that of an " + *role);
  if (const auto before = state.in.router->disconnect(from.peer))
    tell(self, before, atom::close_v);
  auto inputs = std::make_shared<remote_worker_inputs>();
  inputs->options = state.in.options;
  inputs->session = session_number(state.in.epoch, ++state.sessions);
  inputs->epoch = state.in.epoch;
  inputs->cluster = state.in.cluster;
  inputs->pool = state.in.pool;
  inputs->send = [send = state.in.send,
                  peer = from.peer](std::shared_ptr<const std::string> frame) {
    send(peer, std::move(frame));
  };
  inputs->blobs = state.in.blobs;
  inputs->models = state.in.models;
  inputs->grades = state.in.grades;
  inputs->on_event = state.in.on_event;
  inputs->on_log = state.in.on_log;
  inputs->on_lease = state.in.on_lease;
  inputs->hello = std::move(hello);
  // It begins with its first message: nobody is welcomed, and may speak, whom
  // the router does not know yet.
  const auto proxy = self->spawn<caf::lazy_init>(remote_worker, inputs);
  state.in.router->connect(from.peer, from.key, proxy);
  tell(self, proxy, atom::check_v);
  state.watched.watch(self, proxy,
                      [router = state.in.router, peer = from.peer,
                       address = proxy.address()](const caf::error&) {
                        router->ended(peer, address);
                      });
}

void serve(acceptor_self self, const arrived_frame& from,
           const operator_request& request) {
  auto& state = state_of(self);
  const auto role = kind_of(state, from.key);
  const bool allowed =
      from.key.empty() || (role.has_value() && *role == "operator");
  if (!state.in.operators || !allowed)
    return send(state, from.peer,
                operator_reply{request.number,
                               role ? "this key may not send orders; use a key "
                                      "with the role operator"
                                    : role.error().message,
                               {}});
  state.in.operators(
      from.peer, request,
      [send = state.in.send, peer = from.peer,
       number = request.number](operator_reply reply) {
        reply.number = number;
        send(peer, std::make_shared<const std::string>(wire::frame(reply)));
      });
}

/// Of a batch, the first: all are of one session and get one answer.
result<wire::message> first_message(std::string_view bytes) {
  const auto frames = wire::frames_in(bytes);
  if (!frames) return frames.error();
  return wire::unframe(frames->empty() ? std::string_view{} : frames->front());
}

void receive(acceptor_self self, const arrived_frame& from) {
  auto& state = state_of(self);
  auto message = first_message(*from.bytes);
  if (!message) {
    const auto& why = message.error();
    if (why.code == ec::malformed
        && wire::kind_name(*from.bytes) == worker_hello::type_name
        && from.bytes->starts_with("BW"))
      return refuse(state, from.peer, "a worker", why.message);
    // No answer: the sender would not understand it.
    if (state.in.on_refused) state.in.on_refused(why.message);
    return;
  }
  if (auto* hello = std::get_if<worker_hello>(&*message))
    return greet(self, from, *hello);
  if (const auto* request = std::get_if<operator_request>(&*message))
    return serve(self, from, *request);
  send(state, from.peer,
       peer_refusal{wire::session_of(*message), "unknown session", true});
}

} // namespace

worker_acceptor_actor::behavior_type
worker_acceptor(acceptor_self self,
                std::shared_ptr<worker_acceptor_inputs> inputs) {
  state_of(self).in = std::move(*inputs);
  return {[self](const arrived_frame& frame) -> caf::result<void> {
            receive(self, frame);
            return caf::unit;
          },
          [self](atom::check) -> caf::result<checked_sessions> {
            return check_keys(self);
          }};
}

} // namespace brewery
