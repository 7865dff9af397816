#pragma once
/// The search of a simulated coordinator: the real phase machine and trees. The
/// owner provides who runs the jobs and records the decisions.

#include "coordinator/phases.hpp"

#include <deque>
#include <functional>

namespace brewery::simulated {

/// The result of a search, for comparison with the undisturbed one.
struct final_state {
  std::vector<doc_ref> documents;
  std::vector<gather_record> gathers;
  bool operator==(const final_state&) const = default;
};

class search_node {
public:
  struct port {
    std::function<void(const job&)> submit;
    /// The owner calls `recorded` once the decision is on disk.
    std::function<void(std::string kind, std::string key, std::string payload)>
        record;
    std::function<void(std::string)> violated;
  };

  search_node(std::shared_ptr<const brew_settings> settings,
              std::vector<gather_record> recorded, port to);

  void begin() { apply(phases_.begin()); }
  void answered(const job_result& answer);
  void recorded();

  [[nodiscard]] const std::optional<final_state>& outcome() const {
    return outcome_;
  }
  [[nodiscard]] std::string state() const;

private:
  void apply(phase_step step);
  void apply(search_step step);
  void carry_out_waiting();
  void carry_out(phase_step step);
  void put_on_record(phase_step step);
  void go_on(const phase_step& step);

  port port_;
  std::shared_ptr<const brew_settings> settings_;
  std::shared_ptr<document_store> documents_;
  brew_phases phases_;
  std::map<concept_id, concept_search> trees_;
  std::vector<gather_record> gathers_;
  std::deque<phase_step> steps_;        ///< to carry out
  std::optional<phase_step> recording_; ///< waits for its record
  bool carrying_out_ = false;
  std::optional<final_state> outcome_;
};

} // namespace brewery::simulated
