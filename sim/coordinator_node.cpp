#include "sim/coordinator_node.hpp"

#include "base/compression.hpp"
#include "cluster/job_spec.hpp"
#include "cluster/ledger/memo_loader.hpp"
#include "sim/simulated_work.hpp"

#include <fmt/format.h>

namespace brewery::simulated {

namespace {

memo_content content_of(const durable_log& log) {
  memo_loader loader;
  for (std::size_t i = 0; i < log.rows.size(); ++i) {
    const auto& row = log.rows[i];
    BREWERY_ASSERT(loader.take(i + 1, row.kind, row.key, row.payload));
  }
  return std::move(loader).content();
}

std::vector<gather_record> gathers_of(const durable_log& log) {
  std::vector<gather_record> out;
  for (const auto& row : log.rows)
    if (row.kind == gather_record::type_name)
      out.push_back(*wire::decode<gather_record>(row.payload));
  return out;
}

} // namespace

coordinator_node::coordinator_node(
    node_port port, const cluster_options& options,
    std::shared_ptr<const brew_settings> settings, durable_log& log,
    std::uint64_t seed)
    : port_(std::move(port)), options_(options), log_(log),
      mail_(port_, rng{rng_key(seed, "mail", log.epoch)}),
      disk_(port_, log, rng{rng_key(seed, "disk", log.epoch)}),
      models_(port_, log, rng{rng_key(seed, "models", log.epoch)}),
      pool_(options, ++log.epoch), ledger_(content_of(log)),
      search_(std::move(settings), gathers_of(log),
              {[this](const job& work) {
                 submit(search_address, work,
                        {search_address, [this](const auto& answer) {
                           if (answer) return search_.answered(*answer);
                           port_.violated("a job of the search failed: "
                                          + answer.error().message);
                         }});
               },
               [this](std::string kind, std::string key, std::string payload) {
                 to_ledger(search_address, [=, this] {
                   return ledger_.record(kind, key, payload,
                                         asker_id{++next_asker_});
                 });
               },
               [this](std::string what) { port_.violated(what); }}) {
  disk_.on_stuck = [this](bool stuck) {
    to_pool(disk_address, [=, this] {
      return pool_.pause(the_run,
                         stuck ? log_state::disk_full : log_state::writable,
                         port_.now());
    });
  };
}

void coordinator_node::start() {
  pool_.open({the_run, {}, "fingerprint", "set-up"});
  search_.begin();
}

void coordinator_node::tick() {
  carry_out(pool_.tick(port_.now()));
}

// -- the network -------------------------------------------------------------

void coordinator_node::receive(node_number from, const wire::message& message) {
  if (const auto* hello = std::get_if<worker_hello>(&message))
    return mail_.post(gateway_address, acceptor_address,
                      [=, this, hello = *hello] { greet(from, hello); });
  if (const auto line = lines_.find(from); line != lines_.end())
    return to_proxy(gateway_address, line->second,
                    [=, this](worker_proxy& core) {
                      return core.receive(message, port_.now());
                    });
  port_.send(from,
             peer_refusal{wire::session_of(message), "unknown session", true});
}

void coordinator_node::disconnected(node_number worker) {
  const auto line = lines_.find(worker);
  if (line == lines_.end()) return;
  const auto proxy = line->second;
  to_proxy(gateway_address, proxy, [=, this](worker_proxy& core) {
    core.disconnected(port_.now());
    port_.after(options_.suspicion + microseconds{1'000},
                [=, this] { check(proxy); });
    return proxy_step{};
  });
}

void coordinator_node::greet(node_number from, const worker_hello& message) {
  if (const auto why = refusal_of(message); !why.empty())
    return port_.send(from, peer_refusal{0, why, false});
  if (!keys_readable_)
    return port_.send(from, peer_refusal{0, "the keys cannot be read", true});
  if (const auto line = lines_.find(from); line != lines_.end())
    to_proxy(acceptor_address, line->second,
             [](worker_proxy& core) { return core.replaced(); });
  const auto proxy = first_proxy + ++sessions_;
  lines_[from] = proxy;
  proxies_.emplace(proxy,
                   peer{from,
                        worker_proxy{{options_, message,
                                      session_number(log_.epoch, sessions_),
                                      log_.epoch, true},
                                     port_.now()},
                        {},
                        {}});
  join(proxy);
  port_.after(options_.heartbeat, [=, this] { beat(proxy); });
}

// -- the pool ----------------------------------------------------------------

void coordinator_node::to_pool(address from, std::function<pool_step()> what) {
  mail_.post(from, pool_address, [=, this] { carry_out(what()); });
}

void coordinator_node::carry_out(pool_step step) {
  for (const auto worker : step.left)
    members_.erase(worker);
  for (auto& [worker, what] : step.orders)
    order(worker, std::move(what));
  for (auto& answered : step.answers) {
    const auto job = running_.extract(answered.asker);
    if (job.empty())
      port_.violated("the pool answered somebody twice");
    else
      to_ledger(pool_address,
                [this, id = job.mapped(), answer = std::move(answered.answer)] {
                  return ledger_.ran(id, answer);
                });
  }
  for (auto& offer : step.offers)
    to_ledger(pool_address,
              [=, this] { return ledger_.offered(offer.answer); });
}

void coordinator_node::order(worker_id worker, worker_order order) {
  if (const auto* lease = std::get_if<lease_order>(&order);
      lease && !granted_.insert(lease->key.attempt).second)
    port_.violated(fmt::format("attempt {} of job {} was granted twice",
                               lease->key.attempt, lease->key.job.value));
  if (const auto it = members_.find(worker); it != members_.end())
    to_proxy(pool_address, it->second, [=, this](worker_proxy& core) {
      return core.order(order, port_.now());
    });
}

// -- the ledger --------------------------------------------------------------

void coordinator_node::to_ledger(address from,
                                 std::function<ledger_step()> what) {
  mail_.post(from, ledger_address, [=, this] { carry_out(what()); });
}

void coordinator_node::submit(address from, const job& work, waiter who) {
  to_ledger(from, [=, this] {
    const asker_id asker{++next_asker_};
    waiting_.emplace(asker, who);
    return ledger_.submit(work, asker);
  });
}

void coordinator_node::carry_out(ledger_step step) {
  for (const auto& answer : step.made)
    if (!made_.insert(answer.id).second)
      port_.violated("a result was counted twice: " + answer.id.value);
  for (auto& work : step.run) {
    const asker_id asker{++next_asker_};
    running_.emplace(asker, work.id);
    to_pool(ledger_address,
            [=, this] { return pool_.run(the_run, work, asker, port_.now()); });
  }
  for (const auto& job : step.settled)
    to_pool(ledger_address,
            [=, this] { return pool_.journalled(the_run, job); });
  for (auto& event : step.append)
    append(std::move(event));
  for (const auto& wanted : step.recall)
    mail_.post(ledger_address, disk_address, [=, this] {
      to_ledger(disk_address, [=, this, text = disk_.read(wanted.event)] {
        return ledger_.recalled(wanted.asker, text);
      });
    });
  for (auto& answered : step.answers) {
    if (answered.answer && !in_log(answered.answer->id))
      port_.violated("a result was handed out before it was in the log");
    const auto asked = waiting_.extract(answered.asker);
    if (asked.empty())
      port_.violated("the ledger answered somebody twice");
    else
      mail_.post(ledger_address, asked.mapped().who,
                 [tell = asked.mapped().tell,
                  answer = std::move(answered.answer)] { tell(answer); });
  }
  for (const auto& [asker, outcome] : step.recorded) {
    if (!outcome)
      port_.violated("after a restart it was decided differently: "
                     + outcome.error().message);
    mail_.post(ledger_address, search_address, [this] { search_.recorded(); });
  }
}

void coordinator_node::append(log_append event) {
  mail_.post(ledger_address, disk_address, [=, this] {
    auto payload = event.compressed
                       ? *decompress(event.payload, wire::max_frame_bytes)
                       : event.payload;
    disk_.append({event.kind, event.key, std::move(payload)},
                 [=, this](std::uint64_t number) {
                   to_ledger(disk_address, [=, this] {
                     return event.decision
                                ? ledger_.decided(*event.decision, number)
                                : ledger_.journalled({event.key}, number);
                   });
                 });
  });
}

std::string coordinator_node::state() const {
  const auto& counts = table().counts();
  auto out = fmt::format("epoch {}, {}; {} queued, {} leased, {} delivered; {} "
                         "peers",
                         log_.epoch, search_.state(), counts.queued,
                         counts.leased, counts.delivered, proxies_.size());
  for (const auto& why : table().why_waiting())
    out += "; " + why;
  return out;
}

} // namespace brewery::simulated
