#pragma once
/// The language models of a simulated run, with the broker's behaviour: a
/// recorded call is not made again, equal calls wait for the same reply, and a
/// reply is on disk before anyone sees it.

#include "messages/model_msgs.hpp"
#include "sim/simulated_disk.hpp"

namespace brewery::simulated {

class simulated_models {
public:
  simulated_models(const node_port& port, durable_log& log, rng draw)
      : port_(port), log_(log), draw_(draw) {}

  /// While set, some calls end with ec::cancelled, as at the end of a run.
  void set_moody(bool moody) { moody_ = moody; }

  using answer_handler = std::function<void(result<model_answer>)>;
  void ask(const model_call& call, answer_handler done);

private:
  void answered(const std::string& key, const model_call& call, bool let_go);

  const node_port& port_;
  durable_log& log_;
  rng draw_;
  bool moody_ = false;
  std::map<std::string, std::vector<answer_handler>> under_way_;
};

} // namespace brewery::simulated
