/// Speed of the telecom environment: loading, a fresh environment from the
/// shared base, tool calls with and without state hashes, grading, and 1,000
/// whole rollouts of a scripted agent, alone and with a scripted user. Prints
/// one line per figure.
///
///   env_bench [DATA]   a tau2-bench directory; else $BREWERY_TEST_DATA, else
///                      ../shared/data beside the checkout

#include "bench/timing.hpp"
#include "envs/tau2/tau2_benchmark.hpp"

#include <fmt/format.h>

#include <utility>

using namespace brewery;
using namespace brewery::tau2;
using namespace brewery::bench;

namespace {

/// Median and range of five timings of `work`, in microseconds per item.
template <class F>
void report(const char* what, std::size_t items, F work) {
  const auto each = timings_us(items, work);
  fmt::print("{:<44} {:8.3f} us ({:.3f}..{:.3f}), {:.0f}/s\n", what, each[2],
             each.front(), each.back(), 1e6 / each[2]);
}

struct scripted_call {
  std::string name;
  json arguments;
};

/// The agent's calls in a rollout: all look-ups, then the actions.
std::vector<scripted_call> script(const task& item) {
  std::vector<scripted_call> calls;
  const json desk = {{"customer_id", "C1001"}, {"line_id", "L1002"}};
  calls.push_back(
      {"get_customer_by_phone", {{"phone_number", "555-123-2002"}}});
  calls.push_back({"get_details_by_id", {{"id", "L1002"}}});
  calls.push_back({"get_data_usage", desk});
  for (const char* tool :
       {"check_status_bar", "check_network_status", "check_sim_status",
        "check_apn_settings", "check_vpn_status", "run_speed_test",
        "can_send_mms"})
    calls.push_back({tool, json::object()});
  for (const auto& action :
       item.criteria->actions.value_or(std::vector<gold_action>{}))
    calls.push_back({action.name, action.arguments});
  return calls;
}

constexpr std::size_t rollouts = 1'000;

void require(bool good) {
  if (!good) std::abort(); // the figure would be of something else
}

turn move_of(const scripted_call& call) {
  return {
      .text = {},
      .calls = {{.id = {}, .name = call.name, .arguments = call.arguments}}};
}

/// An agent that looks, solves the task, and ends.
void play_alone(const tau2_benchmark& bench,
                const std::vector<std::vector<scripted_call>>& scripts) {
  for (std::size_t i = 0; i < rollouts; ++i) {
    const auto which = i % scripts.size();
    auto env = bench.make(bench.tasks()[which].id);
    require(env.has_value());
    (void)(*env)->opening();
    for (const auto& call : scripts[which])
      require((*env)->take_turn(move_of(call)).has_value());
    const auto last = (*env)->take_turn(move_of({"done", json::object()}));
    require(last && last->over && (*env)->grade()->reward == 1);
  }
}

/// Performs its part of the gold actions when asked, then stops.
class obedient_user final : public user_player {
public:
  explicit obedient_user(const task& item) {
    for (const auto& action : *item.criteria->actions)
      if (action.requestor == "user")
        script_.push_back(move_of({action.name, action.arguments}));
    script_.push_back({.text = "Thank you. ###STOP###", .calls = {}});
  }

  result<turn> answer(const user_briefing&,
                      const std::vector<user_event>&) override {
    if (std::exchange(greeted_, true)) return script_[next_++];
    return turn{.text = "My phone does not work.", .calls = {}};
  }

private:
  std::vector<turn> script_;
  std::size_t next_ = 0;
  bool greeted_ = false;
};

void play_with_user(const tau2_benchmark& bench) {
  const auto& tasks = bench.tasks();
  for (std::size_t i = 0; i < rollouts; ++i) {
    const auto& id = tasks[i % tasks.size()].id;
    const task& item = *bench.find(id);
    auto env = bench.make(id, {std::make_shared<obedient_user>(item), {}});
    require(env.has_value());
    (void)(*env)->opening();
    for (const auto& action : *item.criteria->actions)
      if (action.requestor == "assistant")
        require((*env)
                    ->take_turn(move_of({action.name, action.arguments}))
                    .has_value());
    const auto last = (*env)->take_turn({.text = "Do this.", .calls = {}});
    require(last && last->over);
    (void)(*env)->grade();
  }
}

} // namespace

int main(int argc, char** argv) {
  const auto data = tau2_data(argc, argv);
  const auto start = steady::now();
  const auto loaded = load_tau2("tau2-telecom", data);
  if (!loaded) {
    fmt::print(stderr, "{}\n", to_string(loaded.error()));
    return 1;
  }
  const tau2_benchmark& bench = **loaded;
  fmt::print("{:<44} {:8.3f} s ({} tasks)\n", "load", seconds_since(start),
             bench.tasks().size());

  const std::size_t rounds = 20'000;
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
          (void)env.state().agent_hash();
          (void)env.state().user_hash();
        },
        nothing);
  });
  report("rollout, played and graded", scripts.size(),
         [&] { play(nothing, [](auto& env) { (void)env.grade(); }); });
  report("rollout in turns, alone, ended with done", rollouts,
         [&] { play_alone(bench, scripts); });

  const auto talking = load_tau2(
      "tau2-telecom", data, {.splits = {"base"}, .mode = play_mode::with_user});
  if (!talking) {
    fmt::print(stderr, "{}\n", to_string(talking.error()));
    return 1;
  }
  report("rollout in turns, with a scripted user", rollouts,
         [&] { play_with_user(**talking); });
  return 0;
}
