#include "workers/reception.hpp"

#include "cluster/facts.hpp"

#include <fmt/format.h>

namespace brewery {

// -- switchboard -------------------------------------------------------------

void switchboard::frame(const std::string& peer, std::string_view key,
                        std::string bytes) {
  const bool hello = wire::kind_name(bytes) == worker_hello::type_name;
  auto shared = std::make_shared<const std::string>(std::move(bytes));
  if (!hello) {
    remote_worker_actor proxy;
    {
      const std::lock_guard lock{mutex_};
      const auto it = lines_.find(peer);
      // Another key under this name would be somebody else.
      if (it != lines_.end() && it->second.key == key) proxy = it->second.proxy;
    }
    if (proxy) return caf::anon_send(proxy, arrived_message{std::move(shared)});
  }
  caf::anon_send(reception_,
                 arrived_frame{peer, std::string{key}, std::move(shared)});
}

void switchboard::gone(const std::string& peer) {
  remote_worker_actor proxy;
  {
    const std::lock_guard lock{mutex_};
    const auto it = lines_.find(peer);
    if (it == lines_.end()) return;
    proxy = it->second.proxy;
  }
  caf::anon_send(proxy, atom::gone_v);
}

void switchboard::connect(const std::string& peer, const std::string& key,
                          remote_worker_actor proxy) {
  const std::lock_guard lock{mutex_};
  lines_[peer] = {key, std::move(proxy)};
}

remote_worker_actor switchboard::disconnect(const std::string& peer) {
  const std::lock_guard lock{mutex_};
  const auto it = lines_.find(peer);
  if (it == lines_.end()) return {};
  auto proxy = std::move(it->second.proxy);
  lines_.erase(it);
  return proxy;
}

void switchboard::ended(const std::string& peer, const caf::actor_addr& proxy) {
  const std::lock_guard lock{mutex_};
  const auto it = lines_.find(peer);
  // Another may have taken its place.
  if (it != lines_.end() && it->second.proxy.address() == proxy)
    lines_.erase(it);
}

std::vector<remote_worker_actor> switchboard::all() {
  const std::lock_guard lock{mutex_};
  std::vector<remote_worker_actor> out;
  for (const auto& [peer, held] : lines_)
    out.push_back(held.proxy);
  return out;
}

std::size_t switchboard::size() const {
  const std::lock_guard lock{mutex_};
  return lines_.size();
}

// -- reception ---------------------------------------------------------------

namespace {

using self_ptr = reception_actor::stateful_pointer<reception_state>;

template <class T>
void send(reception_state& state, const std::string& peer, const T& message) {
  state.in.send(peer,
                std::make_shared<const std::string>(wire::frame(message)));
}

void refuse(reception_state& state, const std::string& peer,
            const std::string& who, const std::string& why,
            bool hello_again = false) {
  if (state.in.on_refused) state.in.on_refused(why);
  if (state.in.on_event)
    state.in.on_event(shown(fmt::format("refused {}: {}", who, why)));
  send(state, peer, peer_refusal{0, why, hello_again});
}

void greet(self_ptr self, const arrived_frame& from, worker_hello& hello) {
  auto& state = state_of(self);
  // Logs, errors and `brewery workers` show them.
  hello.worker = shown(hello.worker);
  hello.host = shown(hello.host);
  const auto who = fmt::format("worker {}", hello.worker);
  if (const auto why = refusal_of(hello); !why.empty())
    return refuse(state, from.peer, who, why);
  const auto role = state.in.role_of(from.key);
  if (!role) return refuse(state, from.peer, who, role.error().message, true);
  if (*role != "worker")
    return refuse(state, from.peer, who,
                  role->empty() ? "its key is not allowed"
                                : "its key is that of an " + *role);
  if (const auto before = state.in.board->disconnect(from.peer))
    tell(self, before, atom::close_v);
  auto inputs = std::make_shared<remote_worker_inputs>();
  inputs->options = state.in.options;
  inputs->session = (state.in.epoch << 32) + ++state.sessions;
  inputs->epoch = state.in.epoch;
  inputs->pool = state.in.pool;
  inputs->send = [send = state.in.send,
                  peer = from.peer](std::shared_ptr<const std::string> frame) {
    send(peer, std::move(frame));
  };
  inputs->blobs = state.in.blobs;
  inputs->models = state.in.models;
  inputs->grades = state.in.grades;
  inputs->on_event = state.in.on_event;
  inputs->on_lease = state.in.on_lease;
  inputs->hello = std::move(hello);
  const auto proxy = self->spawn(remote_worker, inputs);
  state.in.board->connect(from.peer, from.key, proxy);
  state.watched.watch(self, proxy,
                      [board = state.in.board, peer = from.peer,
                       address = proxy.address()](const caf::error&) {
                        board->ended(peer, address);
                      });
}

void serve(self_ptr self, const arrived_frame& from,
           const operator_request& request) {
  auto& state = state_of(self);
  const auto role = state.in.role_of(from.key);
  const bool allowed =
      from.key.empty() || (role.has_value() && *role == "operator");
  if (!state.in.operators || !allowed)
    return send(state, from.peer,
                operator_reply{request.number,
                               role ? "this key may not give orders; it needs "
                                      "one of role operator"
                                    : role.error().message,
                               {}});
  state.in.operators(request, [send = state.in.send, peer = from.peer,
                               number = request.number](operator_reply reply) {
    reply.number = number;
    send(peer, std::make_shared<const std::string>(wire::frame(reply)));
  });
}

void receive(self_ptr self, const arrived_frame& from) {
  auto& state = state_of(self);
  auto message = wire::unframe(*from.bytes);
  if (!message) {
    const auto& why = message.error();
    if (why.code == ec::malformed
        && wire::kind_name(*from.bytes) == worker_hello::type_name
        && from.bytes->starts_with("BW"))
      return refuse(state, from.peer, "a worker", why.message);
    // Not answered: whoever sent this would not understand it.
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

reception_actor::behavior_type
reception(self_ptr self, std::shared_ptr<reception_inputs> inputs) {
  state_of(self).in = std::move(*inputs);
  return {[self](const arrived_frame& frame) -> caf::result<void> {
    receive(self, frame);
    return caf::unit;
  }};
}

} // namespace brewery
