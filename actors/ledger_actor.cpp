#include "actors/ledger_actor.hpp"

#include "base/compression.hpp"
#include "cluster/job_spec.hpp"
#include "cluster/ledger/memo_loader.hpp"
#include "messages/embed_jobs.hpp"
#include "messages/wire/frame.hpp"

namespace brewery {

namespace {

using ledger_self = ledger_actor::stateful_pointer<ledger_state>;

void carry_out(ledger_self self, ledger_step step);
void carry_out(ledger_self self, reuse_step step);
void append(ledger_self self, log_append event);
void not_played(ledger_self self, const job_id& id);
void write_in_time(ledger_self self);

/// The whole of a result: what a search gets lacks what the agent asked.
result<job_result> whole_of(const std::string& bytes) {
  if (!is_compressed(bytes)) return wire::decode<job_result>(bytes);
  auto content = decompress(bytes, wire::max_frame_bytes);
  if (!content) return content.error();
  return wire::decode<job_result>(*content);
}

void keep_to_reuse(ledger_state& state, const packed_result& answer) {
  if (!state.reuse || !state.reuse->expects(answer.brief.id)) return;
  state.to_reuse.insert_or_assign(answer.brief.id, whole_of(answer.bytes));
}

void count(ledger_state& state, const ledger_step& step) {
  for (const auto& answer : step.made) {
    if (state.on_result) state.on_result(answer);
    const auto* rollout = std::get_if<rollout_result>(&answer.output);
    if (!rollout) continue;
    if (!rollout->reused_from.empty()) {
      state.board->update([](progress_view& view) { ++view.rollouts_reused; });
      continue;
    }
    state.board->update([&](progress_view& view) {
      ++view.rollouts_run;
      if (rollout->outcome == rollout_outcome::graded) {
        ++view.rollouts_graded;
        view.reward_sum += rollout->grade.reward;
      } else if (rollout->outcome == rollout_outcome::quarantined) {
        ++view.rollouts_given_up;
      } else {
        ++view.environment_errors;
      }
    });
    state.board->add_work(std::chrono::microseconds{rollout->duration_us});
  }
  if (state.on_recalled)
    for (const auto& answer : step.recalled)
      state.on_recalled(answer);
  if (step.answered > 0)
    state.board->update([&](progress_view& view) {
      view.jobs_answered += step.answered;
      view.jobs_from_log += step.from_log;
    });
}

void play(ledger_self self, job work) {
  auto& state = state_of(self);
  const auto id = work.id;
  if (state.names) state.names->begin(work);
  ++state.playing;
  const auto ended = [self, names = state.names, id] {
    --state_of(self).playing;
    if (names) names->end(id);
  };
  const auto done = [self, id, ended](packed_result& answer) {
    ended();
    auto& now = state_of(self);
    if (now.share && is_result(answer)) now.to_share.insert(id);
    keep_to_reuse(now, answer);
    carry_out(self, now.core->ran(id, std::move(answer)));
    write_in_time(self);
  };
  const auto failed = [self, id, ended](const caf::error& err) {
    ended();
    carry_out(self, state_of(self).core->ran(id, from_caf(err)));
    not_played(self, id);
    write_in_time(self);
  };
  if (state.share)
    ask(self, state.share, caf::infinite, atom::run_v, state.run,
        std::move(work))
        .then(done, failed);
  else
    ask(self, state.pool, caf::infinite, atom::run_v, state.run,
        std::move(work))
        .then(done, failed);
}

/// A text of its own, as rollouts ask for it, so that a model is asked once.
void embed(ledger_self self, std::string text) {
  auto& state = state_of(self);
  const asker_id asker{++state.next_asker};
  auto work = make_embed_job({text}, state.embedder);
  state.embedding.emplace(asker, std::move(text));
  state.board->update([](progress_view& view) { ++view.jobs_submitted; });
  carry_out(self, state.core->submit(make_job(std::move(work)), asker));
}

/// Whether the answer was wanted by `reuse`, which has it then.
bool is_embedded(ledger_self self, asker_id asker,
                 const result<job_result>& answer) {
  auto& state = state_of(self);
  const auto text = state.embedding.extract(asker);
  if (text.empty()) return false;
  const auto* made =
      answer ? std::get_if<embed_result>(&answer->output) : nullptr;
  text_vector vector;
  if (made && made->vectors.size() == 1)
    vector = std::make_shared<const std::vector<double>>(made->vectors.front());
  carry_out(self, state.reuse->embedded(text.mapped(), std::move(vector)));
  return true;
}

void learn_recalled(ledger_self self, asker_id asker,
                    const result<std::string>& payload) {
  auto& state = state_of(self);
  const auto work = state.recalling.extract(asker);
  if (work.empty() || !payload) return;
  if (const auto whole = wire::decode<job_result>(*payload))
    carry_out(self, state.reuse->recall(work.mapped(), *whole));
}

/// Plays what must be played, and takes what stands as if it had been.
void carry_out(ledger_self self, reuse_step step) {
  auto& state = state_of(self);
  for (auto& check : step.checked) {
    if (state.on_reuse_checked) state.on_reuse_checked(check);
    state.board->update([&](progress_view& view) {
      ++view.reuse_audited;
      view.reuse_wrong += !check.differs.empty();
    });
    // Nobody waits for it.
    auto recorded =
        state.core->record(std::string{reuse_check_event}, check.id.value,
                           std::move(check.differs), asker_id{0});
    for (auto& event : recorded.append)
      append(self, std::move(event));
  }
  for (auto& text : step.embed)
    embed(self, std::move(text));
  for (auto& work : step.play)
    play(self, std::move(work));
  for (auto& rollout : step.stand)
    tell(self, ledger_actor{self}, atom::offer_v,
         pack(make_result(std::move(rollout))));
}

void not_played(ledger_self self, const job_id& id) {
  auto& state = state_of(self);
  state.to_reuse.erase(id);
  if (state.reuse) carry_out(self, state.reuse->failed(id));
}

void run(ledger_self self, job work) {
  auto& reuse = state_of(self).reuse;
  if (reuse)
    carry_out(self, reuse->ask(std::move(work)));
  else
    play(self, std::move(work));
}

/// Once it is on disk, others may stand on it.
void reuse_journalled(ledger_self self, const job_id& job, bool written) {
  auto& state = state_of(self);
  auto whole = state.to_reuse.extract(job);
  if (whole.empty()) {
    // Offered before anybody asked for it, so it was not kept; those that wait
    // for it since then must not wait for ever.
    if (state.reuse && state.reuse->expects(job))
      carry_out(self, state.reuse->failed(job));
    return;
  }
  carry_out(self, written && whole.mapped()
                      ? state.reuse->played(*whole.mapped())
                      : state.reuse->failed(job));
}

template <class Promises, class Outcome>
void deliver(Promises& promises, asker_id asker, Outcome&& outcome) {
  if (auto asked = promises.extract(asker); !asked.empty())
    asked.mapped().deliver(std::forward<Outcome>(outcome));
}

/// An event on its way to the journal, without what it says.
struct sent_event {
  job_id job; ///< or the key of a decision
  std::optional<asker_id> decision;
};

void written(ledger_self self, const sent_event& event,
             const result<std::uint64_t>& number) {
  auto& state = state_of(self);
  auto& core = *state.core;
  if (event.decision)
    return carry_out(self, core.decided(*event.decision, number));
  if (state.to_share.erase(event.job) > 0 && number)
    tell(self, state.share, atom::journalled_v, state.run, event.job, *number);
  carry_out(self, core.journalled(event.job, number));
  reuse_journalled(self, event.job, number.has_value());
}

void tell_drained(ledger_self self) {
  auto& state = state_of(self);
  for (const auto asker : std::exchange(state.drained, {}))
    deliver(state.others, asker, true);
}

void rest(ledger_self self) {
  auto& state = state_of(self);
  if (state.rest.count() == 0 || std::exchange(state.resting, true)) return;
  tell_after(self, ledger_actor{self}, state.rest, atom::flush_v);
}

void write(ledger_self self) {
  auto& state = state_of(self);
  const auto sent = std::make_shared<std::vector<sent_event>>();
  journal_batch batch;
  for (auto& event : std::exchange(state.unwritten, {})) {
    sent->push_back({{event.key}, event.decision});
    batch.events.push_back({0, std::move(event.kind), std::move(event.key),
                            std::move(event.payload), event.compressed});
  }
  state.writing = true;
  const auto done = [self, sent](const result<std::uint64_t>& first) {
    for (std::size_t i = 0; i < sent->size(); ++i)
      written(self, (*sent)[i],
              first && *first > 0 ? result<std::uint64_t>{*first + i} : first);
    auto& now = state_of(self);
    now.writing = false;
    rest(self);
    if (!now.unwritten.empty()) return write_in_time(self);
    tell_drained(self);
  };
  ask(self, state.journal, caf::infinite, atom::append_v, std::move(batch))
      .then([done](std::uint64_t first) { done(first); },
            [done](const caf::error& err) { done(from_caf(err)); });
}

/// Not while the log rests, unless nothing else could come along.
void write_in_time(ledger_self self) {
  constexpr std::size_t many = 256;
  const auto& state = state_of(self);
  if (state.writing || state.unwritten.empty()) return;
  if (state.resting && state.playing > 0 && state.unwritten.size() < many)
    return;
  write(self);
}

void append(ledger_self self, log_append event) {
  state_of(self).unwritten.push_back(std::move(event));
  write_in_time(self);
}

/// Reads the result from the log on request, because it may be large.
void recall(ledger_self self, const log_recall& wanted) {
  const auto done = [self,
                     asker = wanted.asker](const result<std::string>& payload) {
    learn_recalled(self, asker, payload);
    carry_out(self, state_of(self).core->recalled(asker, payload));
  };
  ask(self, state_of(self).journal, caf::infinite, atom::recall_v, wanted.event)
      .then([done](std::string& payload) { done(std::move(payload)); },
            [done](const caf::error& err) { done(from_caf(err)); });
}

void carry_out(ledger_self self, ledger_step step) {
  auto& state = state_of(self);
  count(state, step);
  for (auto& work : step.run)
    run(self, std::move(work));
  for (const auto& job : step.settled)
    tell(self, state.pool, atom::journalled_v, state.run, job);
  for (auto& event : step.append)
    append(self, std::move(event));
  for (const auto& wanted : step.recall)
    recall(self, wanted);
  for (auto& [asker, answer] : step.answers) {
    if (is_embedded(self, asker, answer)) continue;
    if (answer)
      deliver(state.jobs, asker, std::move(*answer));
    else
      deliver(state.jobs, asker, to_caf(answer.error()));
  }
  for (const auto& [asker, outcome] : step.recorded) {
    if (outcome)
      deliver(state.others, asker, true);
    else
      deliver(state.others, asker, to_caf(outcome.error()));
  }
  for (const auto asker : step.drained) {
    if (state.writing || !state.unwritten.empty())
      state.drained.push_back(asker);
    else
      deliver(state.others, asker, true);
  }
}

void lost(ledger_self self, const char* who, const caf::error& reason) {
  carry_out(self, state_of(self).core->lost(who, from_caf(reason)));
  tell_drained(self);
}

void watch(ledger_self self) {
  auto& state = state_of(self);
  state.watched.watch(self, state.pool, [self](const caf::error& reason) {
    lost(self, "the pool of workers", reason);
  });
  state.watched.watch(self, state.journal, [self](const caf::error& reason) {
    // It may not answer for what it had; what it did not have fails at once.
    state_of(self).writing = false;
    if (!state_of(self).unwritten.empty()) write(self);
    lost(self, "the journal", reason);
  });
}

caf::result<job_result> submit(ledger_self self, job& work) {
  auto& state = state_of(self);
  const asker_id asker{++state.next_asker};
  auto promise = self->make_response_promise<job_result>();
  state.jobs.emplace(asker, promise);
  state.board->update([](progress_view& view) { ++view.jobs_submitted; });
  std::optional<rollout_job> rollout;
  if (const auto* one = std::get_if<rollout_job>(&work.input);
      one && state.reuse)
    rollout = *one;
  auto step = state.core->submit(std::move(work), asker);
  if (rollout && !step.recall.empty())
    state.recalling.emplace(asker, std::move(*rollout));
  carry_out(self, std::move(step));
  return promise;
}

caf::result<job_result> whole_result(ledger_self self, const job_id& id) {
  auto& state = state_of(self);
  const auto event = state.core->event_of(id);
  if (!event)
    return to_caf({ec::not_found, "the log has no result of job " + id.value});
  auto promise = self->make_response_promise<job_result>();
  ask(self, state.journal, caf::infinite, atom::recall_v, *event)
      .then(
          [promise](const std::string& payload) mutable {
            auto whole = wire::decode<job_result>(payload);
            if (whole)
              promise.deliver(std::move(*whole));
            else
              promise.deliver(to_caf({ec::corrupt, whole.error().message}));
          },
          [promise](const caf::error& err) mutable { promise.deliver(err); });
  return promise;
}

/// Stores a promise for the asker and returns both with the asker's number.
std::pair<asker_id, caf::typed_response_promise<bool>> asks(ledger_self self) {
  auto& state = state_of(self);
  const asker_id asker{++state.next_asker};
  auto promise = self->make_response_promise<bool>();
  state.others.emplace(asker, promise);
  return {asker, promise};
}

} // namespace

ledger_actor::behavior_type ledger(ledger_self self,
                                   std::shared_ptr<ledger_inputs> inputs) {
  auto& state = state_of(self);
  state.core = std::make_unique<ledger_core>(std::move(inputs->known),
                                             bool{inputs->share});
  state.run = inputs->run;
  state.pool = inputs->pool;
  state.journal = inputs->journal;
  state.share = inputs->share;
  state.rest = inputs->rest;
  state.board = inputs->board;
  state.names = inputs->names;
  state.on_result = std::move(inputs->on_result);
  state.on_recalled = std::move(inputs->on_recalled);
  state.reuse = std::move(inputs->reuse);
  state.embedder = std::move(inputs->embedder);
  state.on_reuse_checked = std::move(inputs->on_reuse_checked);
  watch(self);
  return {
      [self](atom::submit, job& work) { return submit(self, work); },
      [self](atom::offer, packed_result& answer) -> caf::result<void> {
        keep_to_reuse(state_of(self), answer);
        carry_out(self, state_of(self).core->offered(std::move(answer)));
        return caf::unit;
      },
      [self](atom::recall, const job_id& id) { return whole_result(self, id); },
      [self](atom::record, std::string& kind, std::string& key,
             std::string& payload) -> caf::result<bool> {
        auto [asker, promise] = asks(self);
        carry_out(self,
                  state_of(self).core->record(std::move(kind), std::move(key),
                                              std::move(payload), asker));
        return promise;
      },
      [self](atom::stop) -> caf::result<void> {
        auto& current = state_of(self);
        current.core->stop();
        if (current.reuse)
          for (const auto& job : current.reuse->stop())
            carry_out(self, current.core->ran(
                                job, error{ec::cancelled,
                                           "the run was told to stop"}));
        if (current.share) tell(self, current.share, atom::stop_v, current.run);
        tell(self, current.pool, atom::stop_v, current.run);
        return caf::unit;
      },
      [self](atom::drain) -> caf::result<bool> {
        auto [asker, promise] = asks(self);
        carry_out(self, state_of(self).core->drain(asker));
        return promise;
      },
      [self](atom::flush) -> caf::result<void> {
        auto& current = state_of(self);
        current.resting = false;
        write_in_time(self);
        return caf::unit;
      },
  };
}

} // namespace brewery
