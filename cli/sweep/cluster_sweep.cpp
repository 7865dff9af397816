#include "cli/sweep/cluster_sweep.hpp"

#include "base/text.hpp"
#include "cli/sweep/fetched_sweep.hpp"
#include "run/interrupt.hpp"
#include "store/run_directory.hpp"
#include "sweep/sweep_folder.hpp"

#include <fmt/format.h>

namespace brewery {

result<void> can_play_on_cluster(const sweep_plan& plan,
                                 const cluster_sweep& how) {
  if (plan.halving && how.out.empty())
    return error{ec::invalid_argument,
                 "[halving]: this command decides which points go on, so it "
                 "has to wait: say where the runs go with --out DIRECTORY"};
  if (!run_directory::can_be_id(how.group))
    return error{ec::invalid_argument,
                 fmt::format("--group '{}': cannot be the name of a group: use "
                             "1 to 64 letters, digits, '.', '_' or '-', "
                             "starting with a letter or digit",
                             how.group)};
  for (const auto& point : plan.points)
    for (const auto seed : plan.seeds)
      if (auto ok = run_directory::can_be_id(
              grouped_run_id(how.group, sweep_run_id(point.name, seed)));
          !ok)
        return ok.error();
  return {};
}

result<std::size_t> submit_sweep(const sweep_plan& plan,
                                 const cluster_sweep& how) {
  auto group = cluster_group::open(how);
  if (!group) return group.error();
  std::size_t added = 0;
  for (const auto seed : plan.seeds)
    for (std::size_t p = 0; p < plan.points.size(); ++p) {
      const auto fresh = group->submit(plan, p, seed, {});
      if (!fresh)
        return error{
            fresh.error().code,
            fmt::format("run {}: {}{}", sweep_run_id(plan.points[p].name, seed),
                        fresh.error().message,
                        added == 0
                            ? std::string{}
                            : fmt::format("; {} submitted before it: `brewery "
                                          "cancel --group {}` stops them",
                                          counted(added, "run"), how.group))};
      if (*fresh) ++added;
    }
  return added;
}

result<sweep_outcome> await_sweep(const sweep_plan& plan,
                                  const cluster_sweep& how,
                                  const sweep_observer& observer) {
  auto group = cluster_group::open(how);
  if (!group) return group.error();
  std::atomic<bool> stop{false};
  const interrupt_watch watch{[&] {
                                observer.on_interrupt();
                                stop = true;
                              },
                              [] {}};
  group->outlast(stop, observer.on_away);
  for (;;) {
    const auto now = group->look();
    if (!now) return now.error();
    const auto view = view_of(plan, how.group, *now);
    observer.on_progress(view);
    if (view.ended() == view.runs) return fetch_sweep(plan, how, *now);
    pause_between_looks(stop);
    if (stop) return error{ec::cancelled, "stopped"};
  }
}

} // namespace brewery
