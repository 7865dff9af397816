#pragma once
/// Every role that reads a model's reply, with a case to try it on.

#include "roles/model/llm_integrator.hpp"
#include "roles/model/llm_judge.hpp"
#include "roles/model/llm_reflector.hpp"
#include "roles/model/llm_statement_judge.hpp"
#include "roles/model/llm_user.hpp"
#include "tests/roles/scripted_model.hpp"

namespace brewery::test::tried {

inline const task_info the_task{{"t"}, "The light is dark."};
inline const std::vector<trajectory_step> steps{observed("check", "fan: off"),
                                                changed("toggle")};
inline const grade_report grade{0, {{"light is bright", false}}};
inline const std::vector<rubric> rubrics{
    {"looks", "Does it look?", "yes", "no"},
    {"checks", "Does it check?", "yes", "no"}};

inline const char* const ratings =
    R"({"ratings": {"looks": {"reason": "at 0", "score": 1},)"
    R"( "checks": {"reason": "never", "score": 0}}})";
inline const char* const insights =
    R"({"insights": [{"concept": "fan", "insight": "Look.", "steps": [0]}]})";
inline const char* const verdicts =
    R"({"verdicts": {"1": {"reason": "r", "holds": true}}})";
inline const char* const body =
    "**When to use**\n- The fan is off. [i1]\n\n"
    "**Why to use it**\n- w [i2]\n\n### How to perform\n- h\n\n"
    "### Additional actions\n- a\n\n### Example\n- e\n";

inline integrate_job integration(std::uint32_t draw = 0) {
  integrate_job work;
  work.concept_ref = {3};
  work.title = "Fan";
  auto rare = times(1, {}), often = times(5, {});
  rare.item = insight{{"rare"}, rare.item->topic, "Rarely seen.", {}, {}};
  often.item = insight{{"often"}, often.item->topic, "Often seen.", {}, {}};
  work.insights = {rare, often};
  work.temperature = 0.7;
  work.draw = draw;
  work.id = identity(work, "");
  return work;
}

/// Every role that reads replies, as one call that fails or not.
struct tried_role {
  std::string name;
  std::string good; ///< a reply that it takes
  std::function<result<void>(const model_kit&, job_context&)> run;
};

template <class T>
result<void> outcome_of(const result<T>& got) {
  if (!got) return got.error();
  return {};
}

inline std::vector<tried_role> every_role(const role_model& how = {
                                              .model = "m"}) {
  return {
      {"judge", ratings,
       [how](const model_kit& kit, job_context& context) {
         return outcome_of(llm_judge{asker_of("judge", kit, how), rubrics}.rate(
             {the_task, steps, grade}, context));
       }},
      {"reflector", insights,
       [how](const model_kit& kit, job_context& context) {
         return outcome_of(
             llm_reflector{asker_of("reflector", kit, how), 8}.reflect(
                 {the_task, steps, grade}, {}, context));
       }},
      {"integrator", body,
       [how](const model_kit& kit, job_context& context) {
         return outcome_of(llm_integrator{
             asker_of("integrator", kit, how),
             document_parts("tau2-telecom"),
             {}}.integrate(integration(), nullptr, context));
       }},
      {"statement_judge", verdicts,
       [how](const model_kit& kit, job_context& context) {
         return outcome_of(
             llm_statement_judge{asker_of("statement_judge", kit, how), context}
                 .holds({"It is on."}, steps));
       }},
      {"user", "Hello.", [how](const model_kit& kit, job_context& context) {
         return outcome_of(llm_user{asker_of("user", kit, how), context}.answer(
             {"Be a user.", "You want light.", nullptr},
             {{user_event::kind::heard, "Hi!", {}, {}, false}}));
       }}};
}

} // namespace brewery::test::tried
