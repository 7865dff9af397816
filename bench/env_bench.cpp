/// Speed of the telecom environment: loading, a fresh environment from the
/// shared base, tool calls with and without state hashes, grading. Prints one
/// line per figure.
///
///   env_bench [DATA]   a tau2-bench directory; else $BREWERY_TEST_DATA, else
///                      ../shared/data next to the checkout

#include "envs/tau2/tau2_benchmark.hpp"
#include "envs/tau2/telecom_domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

using namespace brewery;
using namespace brewery::tau2;

namespace {

using steady = std::chrono::steady_clock;

double seconds_since(steady::time_point start) {
  return std::chrono::duration<double>(steady::now() - start).count();
}

std::filesystem::path data_folder(int argc, char** argv) {
  if (argc > 1) return argv[1];
  const char* set = std::getenv("BREWERY_TEST_DATA");
  const std::filesystem::path root = set == nullptr ? "../shared/data" : set;
  return root / "tau2-bench";
}

/// Median and range of five timings of `work`, in microseconds per item.
template <class F>
void report(const char* what, std::size_t items, F work) {
  std::array<double, 5> each{};
  for (double& micros : each) {
    const auto start = steady::now();
    work();
    micros = seconds_since(start) * 1e6 / static_cast<double>(items);
  }
  std::sort(each.begin(), each.end());
  fmt::print("{:<44} {:8.3f} us ({:.3f}..{:.3f}), {:.0f}/s\n", what, each[2],
             each.front(), each.back(), 1e6 / each[2]);
}

struct scripted_call {
  std::string name;
  json arguments;
};

/// What an agent does in a rollout: looks at everything, then acts.
std::vector<scripted_call> script(const task& item) {
  std::vector<scripted_call> calls;
  const json desk = {{"customer_id", "C1001"}, {"line_id", "L1002"}};
  calls.push_back(
      {"get_customer_by_phone", {{"phone_number", "555-123-2002"}}});
  calls.push_back({"get_details_by_id", {{"id", "L1002"}}});
  calls.push_back({"get_data_usage", desk});
  for (const char* look :
       {"check_status_bar", "check_network_status", "check_sim_status",
        "check_apn_settings", "check_vpn_status", "run_speed_test",
        "can_send_mms"})
    calls.push_back({look, json::object()});
  for (const auto& action :
       item.criteria->actions.value_or(std::vector<gold_action>{}))
    calls.push_back({action.name, action.arguments});
  return calls;
}

} // namespace

int main(int argc, char** argv) {
  const auto data = data_folder(argc, argv);
  const auto start = steady::now();
  const auto loaded = load_telecom_benchmark(data);
  if (!loaded) {
    fmt::print(stderr, "{}\n", to_string(loaded.error()));
    return 1;
  }
  const telecom_benchmark& bench = **loaded;
  fmt::print("{:<44} {:8.3f} s ({} tasks)\n", "load", seconds_since(start),
             bench.tasks().size());

  const std::size_t rounds = 20'000;
  report("fresh state from the shared base", rounds, [&] {
    for (std::size_t i = 0; i < rounds; ++i) {
      telecom_state state = bench.base();
      state.user.edit().device.data_enabled = false;
    }
  });
  report("fresh environment, task initialised", rounds, [&] {
    for (std::size_t i = 0; i < rounds; ++i)
      if (!bench.make(bench.tasks()[i % bench.tasks().size()].id)) std::abort();
  });

  std::vector<std::vector<scripted_call>> scripts;
  std::size_t calls = 0;
  for (const auto& info : bench.tasks()) {
    scripts.push_back(script(*bench.find(info.id)));
    calls += scripts.back().size();
  }
  const auto play = [&](auto after_call, auto after_rollout) {
    for (std::size_t i = 0; i < scripts.size(); ++i) {
      auto env = bench.open(bench.tasks()[i].id, play_mode::solo);
      for (const auto& [name, arguments] : scripts[i]) {
        (void)(*env)->call(name, arguments);
        after_call(**env);
      }
      after_rollout(**env);
    }
  };
  const auto nothing = [](auto&) {};
  report("tool call, hashing off (environments included)", calls,
         [&] { play(nothing, nothing); });
  report("tool call and both state hashes", calls, [&] {
    play(
        [](auto& env) {
          (void)agent_hash(env.state());
          (void)user_hash(env.state());
        },
        nothing);
  });
  report("rollout, played and graded", scripts.size(),
         [&] { play(nothing, [](auto& env) { (void)env.grade(); }); });
  return 0;
}
