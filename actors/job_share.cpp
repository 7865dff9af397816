#include "actors/job_share.hpp"

namespace brewery {

namespace {

using share_self = job_share_actor::stateful_pointer<job_share_state>;

void carry_out(share_self self, share_step step) {
  auto& state = state_of(self);
  if (state.on_shared)
    for (std::size_t i = step.answers.size() - step.shared;
         i < step.answers.size(); ++i)
      state.on_shared(step.answers[i].outcome->brief);
  for (auto& [asker, outcome] : step.answers) {
    auto asked = state.askers.extract(asker);
    if (asked.empty()) continue;
    if (outcome)
      asked.mapped().deliver(std::move(*outcome));
    else
      asked.mapped().deliver(to_caf(outcome.error()));
  }
  for (auto& [run, work] : step.play) {
    const auto id = work.id;
    ask(self, state.pool, caf::infinite, atom::run_v, run, std::move(work))
        .then(
            [self, id](packed_result& answer) {
              carry_out(self,
                        state_of(self).core.played(id, std::move(answer)));
            },
            [self, id](const caf::error& err) {
              carry_out(self, state_of(self).core.played(id, from_caf(err)));
            });
  }
  for (const auto& [job, place] : step.read)
    carry_out(self, state.core.was_read(job, state.read(place)));
}

} // namespace

job_share_actor::behavior_type
job_share(share_self self, std::shared_ptr<job_share_inputs> inputs) {
  auto& state = state_of(self);
  state.pool = inputs->pool;
  state.read = std::move(inputs->read);
  state.on_shared = std::move(inputs->on_shared);
  for (const auto& [job, place] : inputs->known)
    state.core.journalled(job, place);
  return {
      [self](atom::run, const run_id& run,
             job& work) -> caf::result<packed_result> {
        auto& current = state_of(self);
        const asker_id asker{++current.next_asker};
        auto promise = self->make_response_promise<packed_result>();
        current.askers.emplace(asker, promise);
        carry_out(self, current.core.ask(run, std::move(work), asker));
        return promise;
      },
      [self](atom::stop, const run_id& run) -> caf::result<void> {
        carry_out(self, state_of(self).core.stopped(run));
        return caf::unit;
      },
      [self](atom::journalled, const run_id& run, const job_id& job,
             std::uint64_t event) -> caf::result<void> {
        state_of(self).core.journalled(job, {run, event});
        return caf::unit;
      },
  };
}

} // namespace brewery
