/// Speed of tau2-bench's domains behind their port: loading, a fresh state,
/// tool calls, and gold trajectories executed and compared with the gold state.
/// Skips a domain without data. Prints one line per figure.
///
///   domain_bench [DATA [SPLIT]]   a tau2-bench directory; else
///                                 $BREWERY_TEST_DATA, else ../shared/data
///                                 beside the checkout. SPLIT is "base" unless
///                                 named
///
/// The gold state is made without sync, as in the reference, so in telecom not
/// every trajectory matches it: 43 of the 114 of "base", there and here.

#include "bench/timing.hpp"
#include "envs/tau2/domain_kinds.hpp"
#include "envs/tau2/tau2_grading.hpp"

#include <fmt/format.h>

using namespace brewery;
using namespace brewery::tau2;
using namespace brewery::bench;

namespace {

/// Median and range of five timings of `work`, in microseconds per item.
template <class F>
void report(std::string_view domain, const char* what, std::size_t items,
            F work) {
  const auto each = timings_us(items, work);
  fmt::print("{:<8} {:<36} {:10.3f} us ({:.3f}..{:.3f}), {:.0f}/s\n", domain,
             what, each[2], each.front(), each.back(), 1e6 / each[2]);
}

/// A task's gold actions and their initial state.
struct gold_run {
  const task* item;
  std::unique_ptr<domain_state> initial;
};

std::vector<gold_run> gold_runs(const domain& of, const task_set& set,
                                const std::vector<std::size_t>& split) {
  std::vector<gold_run> runs;
  for (const std::size_t i : split) {
    const task& item = set.tasks[i];
    if (!item.criteria || !item.criteria->actions) continue;
    auto initial = of.initial();
    if (!initialise(*initial, item)) std::abort();
    runs.push_back({&item, std::move(initial)});
  }
  return runs;
}

std::unique_ptr<domain_state> play(const domain& of, const gold_run& run) {
  auto state = run.initial->clone();
  for (const gold_action& action : *run.item->criteria->actions)
    if (make_tool_call(of, *state, play_mode::with_user, action.requestor,
                       action.name, action.arguments))
      (void)state->sync();
  return state;
}

void measure(const domain& of, const std::vector<gold_run>& runs) {
  std::size_t calls = 0;
  for (const auto& run : runs)
    calls += run.item->criteria->actions->size();
  constexpr std::size_t rounds = 20, states = 20'000;
  report(of.name(), "fresh state", states, [&] {
    for (std::size_t i = 0; i < states; ++i)
      if (of.initial() == nullptr) std::abort();
  });
  report(of.name(), "tool call (fresh states included)", rounds * calls, [&] {
    for (std::size_t i = 0; i < rounds; ++i)
      for (const auto& run : runs)
        (void)play(of, run);
  });
  std::size_t matched = 0;
  report(of.name(), "gold trajectory, played and graded", rounds * runs.size(),
         [&] {
           matched = 0;
           for (std::size_t i = 0; i < rounds; ++i)
             for (const auto& run : runs)
               matched += matches_gold(of, *run.initial, *play(of, run),
                                       *run.item->criteria);
         });
  fmt::print("{:<8} {} trajectories, {} calls, {} match the gold state\n",
             of.name(), runs.size(), calls, matched / rounds);
  const auto state = of.initial();
  (void)state->agent_hash(); // texts of shared records are made once
  report(of.name(), "state hash", 20, [&] {
    for (int i = 0; i < 20; ++i)
      if (state->agent_hash().empty()) std::abort();
  });
}

result<void> time_domain(const domain_kind& kind,
                         const std::filesystem::path& data,
                         const std::string& split) {
  const auto folder = find_domain_folder(kind, data);
  if (!folder) {
    fmt::print("{:<8} skipped: {}\n", kind.folder, folder.error().message);
    return {};
  }
  const auto start = steady::now();
  const auto of = kind.load(*folder);
  if (!of) return of.error();
  fmt::print("{:<8} {:<36} {:10.3f} s\n", kind.folder, "load",
             seconds_since(start));
  const auto tasks = read_text_file(*folder / "tasks.json");
  if (!tasks) return tasks.error();
  const auto splits = read_text_file(*folder / "split_tasks.json");
  if (!splits) return splits.error();
  const auto set = parse_tasks(*tasks, *splits, (*of)->vocabulary());
  if (!set) return set.error();
  const auto members = set->splits.find(split);
  if (members == set->splits.end())
    return error{ec::not_found,
                 fmt::format("{}: has no split \"{}\"", splits->name, split)};
  measure(**of, gold_runs(**of, *set, members->second));
  return {};
}

} // namespace

int main(int argc, char** argv) {
  const auto data = tau2_data(argc, argv);
  const std::string split = argc > 2 ? argv[2] : "base";
  for (const auto& kind : domain_kinds()) {
    if (const auto ok = time_domain(kind, data, split); !ok) {
      fmt::print(stderr, "{}\n", to_string(ok.error()));
      return 1;
    }
  }
  return 0;
}
