#include "workers/worker_actor.hpp"

#include <exception>

namespace brewery {

worker_actor::behavior_type worker(worker_actor::pointer,
                                   runner_lookup runners) {
  return {[runners](atom::run, const run_id& run,
                    const job& work) -> caf::result<packed_result> {
    try {
      const auto runner = runners(run);
      if (!runner)
        return to_caf({ec::cancelled, "run " + run.value + " has ended"});
      auto answer = runner->run(work);
      if (!answer) return to_caf(answer.error());
      return pack(std::move(*answer));
    } catch (const std::exception& failure) {
      // A role or an environment threw: a bug that affects only this job.
      return to_caf({ec::internal,
                     "job " + work.id.value + " failed: " + failure.what()});
    }
  }};
}

} // namespace brewery
