#include "sim/scale/scaled_coordinator.hpp"

#include "cluster/job_spec.hpp"
#include "store/stored_row.hpp"

namespace brewery::simulated {

namespace {

const run_id the_only_run{"scale"};
const std::string any_setup(32, 's');

microseconds from_ms(double ms) {
  return microseconds{static_cast<std::int64_t>(ms * 1000)};
}

} // namespace

scaled_coordinator::scaled_coordinator(const scale_options& options,
                                       event_queue& time, scale_traffic& to,
                                       outside calls)
    : options_(options), time_(time), to_(&to), calls_(std::move(calls)),
      pool_(cluster_, 1) {
  pool_.open({the_only_run, {}, "benchmark", any_setup});
}

void scaled_coordinator::submit(job work) {
  const asker_id asker{++next_asker_};
  carry_out(hop(operation::submit,
                [&] { return ledger_.submit(std::move(work), asker); }));
}

void scaled_coordinator::tick() {
  carry_out(hop(operation::tick, [&] {
    auto step = pool_.tick(time_.now());
    // What the pool's actor looks at besides.
    (void)pool_.table().oldest_lease();
    (void)pool_.news_of_waiting(time_.now());
    return step;
  }));
}

// -- workers -----------------------------------------------------------------

void scaled_coordinator::receive(std::size_t from, const std::string& frame) {
  ++to_->frames_in;
  to_->bytes_in += frame.size();
  const auto message = to_->costs.measure(operation::decode,
                                          [&] { return wire::unframe(frame); });
  BREWERY_ASSERT(message.has_value());
  if (const auto* hello = std::get_if<worker_hello>(&*message))
    return greet(from, *hello);
  auto& proxy = proxies_.at(from);
  carry_out(from, hop(operation::receive,
                      [&] { return proxy.receive(*message, time_.now()); }));
}

void scaled_coordinator::greet(std::size_t from, const worker_hello& hello) {
  if (proxies_.contains(from)) return; // repeated: the answer is on its way
  const auto session = session_number(1, ++sessions_);
  auto& proxy =
      proxies_
          .emplace(from, worker_proxy{{cluster_, hello, session, 1, false},
                                      time_.now()})
          .first->second;
  auto joined = pool_.join(spec_of(hello), session, hello.jobs, time_.now());
  carry_out(std::move(joined.step));
  members_[joined.answer->worker] = from;
  carry_out(from, proxy.joined(*joined.answer, time_.now()));
  carry_out(pool_.assign(time_.now()));
  time_.after(cluster_.heartbeat, [this, from] { beat(from); });
}

void scaled_coordinator::beat(std::size_t worker) {
  const auto it = proxies_.find(worker);
  if (it == proxies_.end()) return;
  carry_out(worker, hop(operation::check,
                        [&] { return it->second.check(time_.now()); }));
  time_.after(cluster_.heartbeat, [this, worker] { beat(worker); });
}

void scaled_coordinator::put(std::size_t worker, shared_frame frame) {
  ++to_->frames_out;
  to_->bytes_out += frame->size();
  calls_.send(worker, std::move(frame));
}

void scaled_coordinator::carry_out(std::size_t worker, proxy_step step) {
  BREWERY_ASSERT(!step.ended);
  for (const auto& message : step.send)
    put(worker, to_->costs.measure(operation::encode, [&] {
      return std::make_shared<const std::string>(wire::frame(message));
    }));
  for (auto& frame : step.frames)
    put(worker, std::move(frame));
  const auto number = proxies_.at(worker).worker();
  for (auto& report : step.reports)
    carry_out(hop(operation::report, [&] {
      return pool_.report(number, std::move(report), time_.now());
    }));
}

// -- pool, ledger and log ----------------------------------------------------

void scaled_coordinator::carry_out(pool_step step) {
  for (const auto& [number, order] : step.orders) {
    const auto worker = members_.at(number);
    auto& proxy = proxies_.at(worker);
    carry_out(worker, hop(operation::order, [&, &given = order] {
                return proxy.order(given, time_.now());
              }));
  }
  for (auto& answered : step.answers) {
    const auto job = running_.extract(answered.asker);
    BREWERY_ASSERT(!job.empty());
    carry_out(hop(operation::keep, [&] {
      return ledger_.ran(job.mapped(), std::move(answered.answer));
    }));
  }
}

void scaled_coordinator::carry_out(ledger_step step) {
  for (auto& work : step.run) {
    const asker_id asker{++next_asker_};
    running_.emplace(asker, work.id);
    carry_out(hop(operation::run, [&] {
      return pool_.run(the_only_run, std::move(work), asker, time_.now());
    }));
  }
  for (const auto& job : step.settled)
    carry_out(hop(operation::settled,
                  [&] { return pool_.journalled(the_only_run, job); }));
  for (auto& event : step.append)
    append(std::move(event));
  for (const auto& answered : step.answers) {
    ++to_->hops;
    ++to_->jobs;
    calls_.answered(*answered.answer);
  }
}

void scaled_coordinator::append(log_append event) {
  ++to_->hops;
  ++to_->rows;
  // Alike for all, and compressed by the workers: one in 32 is packed.
  constexpr std::uint64_t sampled = 32;
  if (++events_ % sampled == 0) {
    event_row row{events_, event.kind, event.key, event.payload,
                  event.compressed};
    const auto packed = to_->costs.sample(
        operation::pack, sampled, [&] { return pack_row(row.seq, row); });
    to_->log_bytes +=
        sampled * (packed.payload.size() + row.kind.size() + row.key.size());
  }
  event.payload.clear();
  batch_.push_back(std::move(event));
  if (!committing_) commit();
}

/// What arrives while a batch is written is the next batch.
void scaled_coordinator::commit() {
  committing_ = true;
  time_.after(from_ms(options_.commit_ms), [this, rows = std::move(batch_)] {
    committing_ = false;
    if (!batch_.empty()) commit();
    std::uint64_t number = events_;
    for (const auto& row : rows)
      carry_out(hop(operation::settle, [&] {
        return ledger_.journalled(job_id{row.key}, ++number);
      }));
  });
  batch_.clear();
}

} // namespace brewery::simulated
