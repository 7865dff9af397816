#include "sim/coordinator_node.hpp"

#include <fmt/format.h>

namespace brewery::simulated {

namespace {

const search_id the_search{"simulated"};

memo_content content_of(const durable_log& log) {
  memo_content out;
  for (const auto& row : log.rows) {
    if (row.kind != job_result::type_name) {
      out.decisions.emplace(row.kind + "/" + row.key, row.payload);
      continue;
    }
    auto answer = wire::decode<job_result>(row.payload);
    BREWERY_ASSERT(answer.has_value());
    auto id = answer->id;
    out.results.emplace(std::move(id), std::move(*answer));
  }
  return out;
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
    : port_(std::move(port)), options_(options), settings_(std::move(settings)),
      log_(log), draw_(rng_key(seed, "coordinator", log.epoch)),
      table_(options, ++log.epoch), memo_(content_of(log)),
      documents_(std::make_shared<document_store>()),
      phases_(std::make_unique<brew_phases>(settings_, documents_,
                                            gathers_of(log))) {}

void coordinator_node::start() {
  table_.open_search(the_search);
  apply(phases_->begin());
  feed();
  dispatch();
}

void coordinator_node::lose_memory(bool batch_made_it) {
  if (!committing_ || !batch_made_it || disk_full_) return;
  for (auto& row : batch_)
    committed(row);
}

// -- protocol ----------------------------------------------------------------

coordinator_node::peer* coordinator_node::peer_of(worker_id worker) {
  const auto it = nodes_.find(worker);
  return it == nodes_.end() ? nullptr : &peers_.at(it->second);
}

void coordinator_node::receive(node_number from, const wire::message& message) {
  if (const auto* first = std::get_if<worker_hello>(&message))
    return hello(from, *first);
  const auto it = peers_.find(from);
  const auto session = wire::session_of(message);
  if (it == peers_.end() || it->second.link.session() != session)
    return port_.send(from, peer_refusal{session, "unknown session", true});
  auto& who = it->second;
  who.link.heard(port_.now());
  if (const auto* beat = std::get_if<worker_heartbeat>(&message))
    heartbeat(from, who, *beat);
  else if (const auto* done = std::get_if<result_report>(&message))
    result(from, who, *done);
  else if (const auto* leaving = std::get_if<worker_goodbye>(&message))
    goodbye(from, who, *leaving);
  else if (const auto* wanted = std::get_if<blob_request>(&message))
    for (const auto& hash : wanted->hashes)
      port_.send(from, blob_content{hash, true, "set-up"});
  dispatch();
}

void coordinator_node::hello(node_number from, const worker_hello& message) {
  if (const auto why = refusal_of(message); !why.empty())
    return port_.send(from, peer_refusal{0, why, false});
  const auto now = port_.now();
  if (peers_.contains(from)) leave(from, job_table::departure::expired);
  const auto worker = table_.join(facts_of(message), now);
  const auto session = log_.epoch * 1'000'000 + ++next_session_;
  auto& who = peers_
                  .insert_or_assign(
                      from, peer{worker_link{options_, session, now}, worker})
                  .first->second;
  nodes_[worker] = from;
  worker_welcome welcome;
  welcome.hello = message.sequence;
  welcome.session = session;
  welcome.epoch = log_.epoch;
  welcome.lease_ms = static_cast<std::uint64_t>(options_.lease.count());
  welcome.heartbeat_ms = static_cast<std::uint64_t>(options_.heartbeat.count());
  for (const auto& held : message.held)
    if (const auto kept =
            table_.adopt(worker, held.key.search, held.key.job, now)) {
      who.link.adopted(kept->key, kept->delivered, now);
      if (kept->delivered) acks_[held.key.job].push_back({worker, kept->key});
      welcome.adopted.push_back(kept->key);
    }
  port_.send(from, welcome);
  dispatch();
}

void coordinator_node::heartbeat(node_number from, peer& who,
                                 const worker_heartbeat& message) {
  const auto outcome = who.link.on(message, port_.now());
  if (message.draining) table_.drain(who.worker);
  for (const auto& key : outcome.lost)
    table_.give_back(who.worker, key, port_.now());
  if (outcome.reply) port_.send(from, *outcome.reply);
}

void coordinator_node::goodbye(node_number from, peer& who,
                               const worker_goodbye& message) {
  for (const auto& key : message.handed_back)
    table_.give_back(who.worker, key, port_.now());
  leave(from, job_table::departure::left);
}

void coordinator_node::leave(node_number from, job_table::departure how) {
  const auto worker = peers_.at(from).worker;
  give_up(table_.leave(worker, how, port_.now()));
  nodes_.erase(worker);
  peers_.erase(from);
}

void coordinator_node::disconnected(node_number worker) {
  const auto it = peers_.find(worker);
  if (it != peers_.end()) it->second.link.disconnected(port_.now());
}

void coordinator_node::result(node_number from, peer& who,
                              const result_report& message) {
  if (!who.link.delivered(message.key)) return;
  const auto outcome =
      table_.finish(who.worker, message.key, message.error, port_.now());
  cancel(outcome.revoked);
  give_up(outcome.given_up);
  using kind = finish_outcome::kind;
  if (outcome.what == kind::accepted) {
    acks_[message.key.job].push_back({who.worker, message.key});
    auto answer = wire::decode<job_result>(message.result);
    if (!answer) return port_.violated("a result cannot be read");
    return keep(std::move(*answer));
  }
  who.link.end(message.key);
  port_.send(from,
             result_ack{who.link.session(), message.key,
                        outcome.what == kind::stale ? result_verdict::stale
                                                    : result_verdict::kept});
}

void coordinator_node::cancel(const std::vector<revoked_lease>& leases) {
  for (const auto& revoked : leases)
    if (auto* other = peer_of(revoked.worker)) {
      other->link.end(revoked.key);
      port_.send(nodes_.at(revoked.worker),
                 lease_cancel{other->link.session(), revoked.key});
    }
}

void coordinator_node::give_up(const std::vector<quarantined_job>& jobs) {
  for (const auto& given_up : jobs)
    keep(quarantine_verdict(jobs_.at(given_up.job), given_up.reason));
}

void coordinator_node::dispatch() {
  for (const auto& granted : table_.assign(port_.now())) {
    if (!granted_.insert(granted.key.attempt).second)
      port_.violated(fmt::format("attempt {} of job {} was granted twice",
                                 granted.key.attempt, granted.key.job.value));
    auto* who = peer_of(granted.worker);
    lease_grant grant;
    grant.session = who->link.session();
    grant.key = granted.key;
    grant.setup = "set-up";
    grant.work = wire::encode(jobs_.at(granted.key.job));
    who->link.offer(granted.key,
                    std::make_shared<const std::string>(wire::frame(grant)),
                    port_.now());
    port_.send(nodes_.at(granted.worker), grant);
  }
}

void coordinator_node::tick() {
  const auto now = port_.now();
  std::vector<std::pair<node_number, job_table::departure>> dead;
  for (auto& [node, who] : peers_) {
    const auto health = who.link.check(now);
    if (health == worker_link::health::alive) {
      for (const auto& again : who.link.tick(now))
        port_.send(node, *wire::unframe(*again));
      continue;
    }
    dead.emplace_back(node, health == worker_link::health::gone
                                ? job_table::departure::lost
                                : job_table::departure::expired);
  }
  for (const auto& [node, how] : dead)
    leave(node, how);
  const auto overdue = table_.tick(now);
  cancel(overdue.revoked);
  give_up(overdue.given_up);
  dispatch();
}

// -- the ledger and its log --------------------------------------------------

void coordinator_node::submit(const job& work) {
  using submission = job_memo<int>::submission;
  const auto outcome = memo_.submit(work.id, 0);
  if (outcome == submission::answered)
    to_feed_.push_back(memo_.result_of(work.id));
  if (outcome != submission::fresh) return;
  jobs_.emplace(work.id, work);
  table_.submit(the_search, facts_of(work, "fingerprint"), port_.now());
}

void coordinator_node::keep(job_result answer) {
  if (memo_.knows(answer.id)) { // finished before a restart, say
    jobs_.erase(answer.id);
    table_.forget(the_search, answer.id);
    return acknowledge(answer.id);
  }
  const auto id = answer.id.value;
  append({job_result::type_name, id, wire::encode(answer)});
}

void coordinator_node::append(log_row row) {
  next_batch_.push_back(std::move(row));
  if (!committing_) commit();
}

void coordinator_node::commit() {
  committing_ = true;
  batch_ = std::move(next_batch_);
  next_batch_.clear();
  const instant took{500 + static_cast<std::int64_t>(draw_.below(5'000))};
  port_.after(took, [this] {
    if (disk_full_) {
      table_.pause(true);
      next_batch_.insert(next_batch_.begin(), batch_.begin(), batch_.end());
      batch_.clear();
      return port_.after(instant{200'000}, [this] { commit(); });
    }
    table_.pause(false);
    const auto written = std::move(batch_);
    batch_.clear();
    committing_ = false;
    for (const auto& row : written)
      committed(row);
    for (const auto& row : written) {
      if (row.kind != job_result::type_name) continue;
      auto answer = *wire::decode<job_result>(row.payload);
      (void)memo_.journalled(answer, 0);
      jobs_.erase(answer.id);
      table_.forget(the_search, answer.id);
      acknowledge(answer.id);
      to_feed_.push_back(std::move(answer));
    }
    for (const auto& row : written)
      if (row.kind == gather_record::type_name) recorded();
    if (!next_batch_.empty() && !committing_) commit();
    feed();
    dispatch();
  });
}

void coordinator_node::committed(const log_row& row) {
  if (row.kind == job_result::type_name && !log_.results.insert(row.key).second)
    port_.violated("the log has two results of job " + row.key);
  log_.rows.push_back(row);
}

void coordinator_node::acknowledge(const job_id& job) {
  if (!log_.results.contains(job.value))
    port_.violated("a result was acknowledged before it was in the log");
  for (const auto& waiting : acks_[job])
    if (auto* who = peer_of(waiting.worker)) {
      who->link.end(waiting.key);
      port_.send(
          nodes_.at(waiting.worker),
          result_ack{who->link.session(), waiting.key, result_verdict::kept});
    }
  acks_.erase(job);
}

// -- the search --------------------------------------------------------------

void coordinator_node::feed() {
  if (feeding_) return;
  feeding_ = true;
  while (!to_feed_.empty()) {
    const auto answers = std::move(to_feed_);
    to_feed_.clear();
    for (const auto& answer : answers) {
      apply(phases_->on(answer));
      for (auto& [id, tree] : trees_)
        apply(tree->on(answer));
    }
  }
  feeding_ = false;
}

void coordinator_node::apply(phase_step step) {
  steps_.push_back(std::move(step));
  carry_out_waiting();
}

/// A tree that reports at once may not overtake the step that started it.
void coordinator_node::carry_out_waiting() {
  if (carrying_out_) return;
  carrying_out_ = true;
  while (!recording_ && !steps_.empty()) {
    auto step = std::move(steps_.front());
    steps_.pop_front();
    carry_out(std::move(step));
  }
  carrying_out_ = false;
}

void coordinator_node::carry_out(phase_step step) {
  if (step.failed) port_.violated("the search failed: " + step.failed->message);
  for (const auto& work : step.jobs)
    submit(work);
  for (auto& seed : step.trees) {
    const auto id = seed.about.record.id;
    trees_.emplace(id, std::make_unique<concept_search>(
                           settings_, std::move(seed.about), seed.root,
                           std::move(seed.evidence), documents_));
  }
  if (step.catch_up) apply(trees_.at(step.late_tree)->start(*step.catch_up));
  if (step.gathered && put_on_record(*step.gathered))
    recording_ = std::move(step);
  else
    go_on(step);
}

bool coordinator_node::put_on_record(const gather_record& gathered) {
  gathers_.push_back(gathered);
  const auto key = std::to_string(gathered.iteration);
  auto payload = wire::encode(gathered);
  using decision = job_memo<int>::decision;
  switch (memo_.decide(std::string{gather_record::type_name} + "/" + key,
                       payload)) {
  case decision::different:
    port_.violated("after a restart, iteration " + key
                   + " was decided differently");
    return false;
  case decision::fresh:
    append({gather_record::type_name, key, std::move(payload)});
    return true;
  case decision::same:
    break;
  }
  return false;
}

void coordinator_node::recorded() {
  const auto step = std::exchange(recording_, std::nullopt);
  carrying_out_ = true;
  go_on(*step);
  carrying_out_ = false;
  carry_out_waiting();
}

void coordinator_node::go_on(const phase_step& step) {
  if (step.expand)
    for (const auto id : step.ready)
      apply(trees_.at(id)->start(*step.expand));
  if (step.finished) outcome_ = final_state{phases_->current(), gathers_};
}

void coordinator_node::apply(search_step step) {
  for (const auto& work : step.jobs)
    submit(work);
  if (step.report) apply(phases_->on(*step.report));
}

std::string coordinator_node::state() const {
  const auto& counts = table_.counts();
  return fmt::format("epoch {}, {}, iteration {}, waits for {}; {} queued, {} "
                     "leased, {} delivered; {} peers",
                     log_.epoch, to_string(phases_->phase()),
                     phases_->iteration(), phases_->waiting_for(),
                     counts.queued, counts.leased, counts.delivered,
                     peers_.size());
}

} // namespace brewery::simulated
