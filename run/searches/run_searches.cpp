#include "run/searches/run_searches.hpp"

#include "base/printable.hpp"
#include "coordinator/coordinator_actor.hpp"
#include "coordinator/recorded.hpp"
#include "messages/side_records.hpp"
#include "messages/wire/codec.hpp"
#include "run/guarded.hpp"
#include "run/resume/search_snapshots.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

namespace brewery {

namespace {

/// Opens once; who waits for it goes on then.
class gate {
public:
  void open() {
    is_open_ = true;
    is_open_.notify_all();
  }
  void wait() const { is_open_.wait(false); }

private:
  std::atomic<bool> is_open_{false};
};

} // namespace

struct run_searches::search {
  planned_search plan;
  std::shared_ptr<coordinator_inputs> inputs;  ///< the coordinator takes them
  std::shared_ptr<search_snapshots> snapshots; ///< null: none are kept
  /// As its barriers closed.
  std::shared_ptr<gathered_versions> versions =
      std::make_shared<gathered_versions>();
  result<search_outcome> outcome = error{ec::internal, "no answer"};

  /// With late trees the first gathers of two searches may differ.
  [[nodiscard]] bool saves_its_start() const {
    return snapshots && plan.settings->learner.gather_quorum >= 1;
  }
};

/// Continues the search from its snapshot if there is a usable one, and saves
/// it from now on.
void run_searches::use_snapshot(search& one) {
  auto& in = *one.inputs;
  const auto told = std::make_shared<seen_results::told_until>();
  auto& seen = parts_.seen;
  one.snapshots = std::make_shared<search_snapshots>(
      parts_.snapshots / in.strategy,
      [&seen, told] { return seen.growth(*told); });
  std::string why;
  auto restored = one.snapshots->load(
      in.settings, in.recorded, in.documents,
      [&seen](const run_growth& part) { seen.restore(part); }, why);
  in.saver = one.snapshots;
  if (!why.empty())
    spdlog::warn("snapshot_unusable run={} strategy={} {}; the search is "
                 "executed again from the log",
                 parts_.run.value, in.strategy, single_line(why));
  if (!restored) return;
  spdlog::info("snapshot_used run={} strategy={} iteration={}",
               parts_.run.value, in.strategy,
               restored->mark.gathered.iteration);
  std::vector<gather_record> before;
  for (const auto& closed : in.recorded)
    if (closed.iteration < restored->mark.gathered.iteration)
      before.push_back(closed);
  note_gathered(one, before, restored->mark.gathered);
  in.continue_after = std::move(restored->mark);
  in.trees = std::move(restored->trees);
  in.gathered = std::move(restored->gathers);
  *told = seen.restored();
}

/// Shows where a search stands that does not come to these barriers again.
void run_searches::note_gathered(search& one,
                                 const std::vector<gather_record>& before,
                                 const gather_record& last) {
  for (const auto& closed : before)
    one.versions->fold(closed);
  one.versions->fold(last);
  parts_.metrics->barrier_closed(one.plan.strategy, last.iteration,
                                 one.versions->mean_reward(), {});
}

/// Until the first gather all searches of a run do the same, so this one need
/// not read the same results again.
void run_searches::begin_like(search& one, const search& other) {
  auto& in = *one.inputs;
  auto start =
      one.snapshots->begin_like(*other.snapshots, in.settings, in.documents);
  if (!start) return;
  spdlog::info("search_begins_alike run={} strategy={} as={}", parts_.run.value,
               in.strategy, other.plan.strategy);
  note_gathered(one, {}, start->mark.gathered);
  in.continue_after = std::move(start->mark);
  in.trees = std::move(start->trees);
  in.begins_alike = true;
}

result<run_searches::search>
run_searches::prepare(const planned_search& planned) {
  auto recorded = gathers_on_record(parts_.decided, planned.strategy);
  if (!recorded) return recorded.error();
  if (!recorded->empty()) parts_.on_gather(planned.strategy, recorded->back());
  search out{planned, std::make_shared<coordinator_inputs>(), nullptr};
  auto& in = *out.inputs;
  in.strategy = planned.strategy;
  in.settings = planned.settings;
  in.recorded = std::move(*recorded);
  in.documents = parts_.documents;
  in.hold_after = planned.hold_after;
  in.ledger = parts_.ledger;
  in.board = parts_.board;
  in.slot_seconds = [slots = parts_.on.slots()](auto now) {
    return slots->slot_seconds(now);
  };
  in.on_dropped = [id = parts_.run,
                   strategy = in.strategy](const dropped_concept& one) {
    spdlog::warn("concept_dropped run={} strategy={} concept={} title=\"{}\" "
                 "reason=\"{}\"",
                 id.value, strategy, one.id.value, single_line(one.title),
                 single_line(one.reason));
  };
  auto own = parts_.metrics;
  own->set_gather_quorum(in.strategy, in.settings->learner.gather_quorum);
  in.on_barrier = [metrics = parts_.on.metrics(), own, versions = out.versions,
                   strategy = in.strategy, on_gather = parts_.on_gather,
                   cost_usd = parts_.cost_usd,
                   ledger = parts_.ledger](const barrier_sample& sample,
                                           const gather_record& gathered) {
    on_gather(strategy, gathered);
    // Nobody waits for it: it decides nothing.
    if (cost_usd)
      caf::anon_send(
          ledger, atom::record_v, std::string{spend_record::type_name},
          gather_key(strategy, gathered.iteration),
          wire::encode(spend_record{gathered.iteration, cost_usd()}));
    metrics->barrier_closed(sample);
    metrics->reports_late(gathered.late.size());
    for (const auto* part : {&gathered.folded, &gathered.reports})
      for (const auto& tree : *part) {
        metrics->candidates_scored(tree.added, tree.dropped);
        metrics->scoring_counted(tree.counts);
      }
    versions->fold(gathered);
    own->barrier_closed(strategy, gathered.iteration, versions->mean_reward(),
                        sample);
  };
  return out;
}

/// On a thread of its own. `like`: begins as that search stood at its first
/// gather; or null.
void run_searches::play(search& one, const search* like) {
  if (failed_) {
    one.outcome = error{ec::cancelled, "another search failed"};
    return;
  }
  const auto& settings = *one.plan.settings;
  spdlog::info("search_started run={} strategy={} train={} eval={}",
               parts_.run.value, one.plan.strategy, settings.train.size(),
               settings.eval.size());
  if (like) begin_like(one, *like);
  caf::scoped_actor self{parts_.on.system()};
  const auto root = parts_.on.system().spawn(coordinator, one.inputs);
  self->request(root, caf::infinite, atom::run_v)
      .receive([&](search_outcome& made) { one.outcome = std::move(made); },
               [&](const caf::error& err) { one.outcome = from_caf(err); });
  // Its trees are linked to it and end too.
  self->send_exit(root, caf::exit_reason::user_shutdown);
  self->wait_for(root);
  if (one.outcome) {
    // What only this search held must not stay beside what others read.
    caf::anon_send(parts_.ledger, atom::drain_v);
  } else {
    if (one.outcome.error().code == ec::exhausted)
      parts_.seen.note_no_concept();
    failed_ = true;
    parts_.stop();
  }
  if (one.snapshots) one.snapshots->close();
}

/// All that did not end by an order to stop are named before those that did.
result<std::vector<search_outcome>>
run_searches::outcomes(std::vector<search>& all) {
  std::optional<error> failed;
  for (const auto& one : all)
    if (!one.outcome && (!failed || failed->code == ec::cancelled))
      failed = one.outcome.error();
  if (failed) return *failed;
  std::vector<search_outcome> out;
  for (auto& one : all)
    out.push_back(std::move(*one.outcome));
  return out;
}

result<std::vector<search_outcome>>
run_searches::play(const std::vector<planned_search>& planned) {
  std::vector<search> all;
  for (const auto& one : planned) {
    auto made = prepare(one);
    if (!made) return made.error();
    all.push_back(std::move(*made));
  }
  if (all.empty()) return outcomes(all);
  // Before any result comes: what snapshots have of the run goes first.
  if (!parts_.snapshots.empty())
    for (auto& one : all)
      use_snapshot(one);
  const auto& first = all.front();
  const auto begins_alike = [&first](const search& one) {
    return &one != &first && !one.inputs->continue_after
           && one.saves_its_start();
  };
  gate begun; // the first search has saved its first gather, or is over
  if (first.inputs->continue_after || !first.saves_its_start()) {
    begun.open();
  } else {
    first.snapshots->keep_start(
        static_cast<std::size_t>(std::ranges::count_if(all, begins_alike)));
    first.snapshots->when_written([&begun] { begun.open(); });
  }
  std::vector<std::jthread> threads;
  for (auto& one : all) {
    const auto* like = begins_alike(one) ? &first : nullptr;
    threads.emplace_back([this, &one, &first, &begun, like] {
      if (like) begun.wait();
      const auto played = guarded([&]() -> result<void> {
        play(one, like);
        return {};
      });
      if (!played) {
        one.outcome = played.error();
        failed_ = true;
        parts_.stop();
      }
      if (&one == &first) begun.open();
    });
  }
  threads.clear(); // which waits for each
  // After a failure jobs may be under way, which nobody needs to wait for.
  if (!failed_) {
    caf::scoped_actor self{parts_.on.system()};
    self->request(parts_.ledger, caf::infinite, atom::drain_v)
        .receive([](bool) {}, [](const caf::error&) {});
  }
  return outcomes(all);
}

} // namespace brewery
