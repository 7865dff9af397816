#include "run/setup/preflight.hpp"

#include "config/model_use.hpp"
#include "roles/make_roles.hpp"
#include "run/evaluation/memory_port.hpp"
#include "run/resume/failed_jobs.hpp"
#include "run/setup/child_environment.hpp"
#include "run/setup/job_runner_factory.hpp"
#include "run/setup/problem.hpp"
#include "run/setup/run_checks.hpp"
#include "run/setup/run_models.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

class checks {
public:
  checks(const config& options, const preflight_request& request)
      : options_(options), request_(request) {}

  std::vector<error> run() {
    // Without its models no role can be made, which is one mistake, not two.
    const bool opened = open_models();
    if (keep(check_learners(options_))) start_memory();
    if (options_.environment.runs_program() && !request_.deep) {
      keep(child_options(options_.environment)); // looks for the program
      if (opened)
        keep(make_roles(options_.roles(), options_.environment.kind,
                        models_.broker));
      return std::move(problems_);
    }
    step("loading the tasks of " + options_.environment.kind);
    auto what = load_problem(options_);
    if (!what) keep(what);
    ask_models();
    load_sentence_model();
    if (what) {
      start_again(*what);
      keep(check_memory_port(options_, *what->source));
      keep(check_starts(*what));
      keep(can_reuse(options_, *what, {}));
      if (opened) play_one(*what);
    }
    return std::move(problems_);
  }

private:
  template <class T>
  bool keep(const result<T>& made) {
    if (!made) problems_.push_back(made.error());
    return static_cast<bool>(made);
  }
  void step(const std::string& what) const {
    if (request_.on_step) request_.on_step(what);
  }

  bool open_models() {
    auto opened = brewery::open_models(options_, {}, {}, metrics_);
    if (!keep(opened)) return false;
    models_ = std::move(*opened);
    return true;
  }

  /// One short question to each model: a wrong key, name or address shows now
  /// and not in the middle of a run.
  void ask_models() {
    if (!request_.deep || !models_.broker) return;
    for (const auto& name : models_used(options_)) {
      step("asking model " + name);
      model_call call;
      call.role = "preflight";
      if (name == options_.embedder.model && options_.embedder.kind == "llm") {
        call.request = embedding_request{name, {"hello"}, 0};
      } else {
        chat_request chat;
        chat.model = name;
        chat.messages.push_back(
            {chat_role::user, "Answer with the word ok.", {}, {}, {}});
        call.request = std::move(chat);
      }
      const auto answer = models_.broker->ask(call, model_caller{});
      if (answer) continue;
      const auto ended = models_.broker->halted();
      const auto& why = ended ? *ended : answer.error();
      problems_.push_back(
          {why.code, fmt::format("model {}: {}", name, why.message)});
      if (ended) return; // the broker would answer the rest alike
    }
  }

  void start_memory() {
    if (!request_.deep || !asks_memory(options_)) return;
    step("starting the memory of memory_port");
    keep(is_memory(options_.memory_port));
  }

  void load_sentence_model() {
    if (!request_.deep || options_.embedder.kind != "sentence") return;
    step("loading the sentence model");
    keep(check_sentence_model(options_.embedder));
  }

  /// A program that describes itself otherwise at each start is refused from
  /// its second start on, and most of a run's time is pauses then.
  void start_again(const problem& what) {
    if (!options_.environment.runs_program()) return;
    step("starting the program of " + options_.environment.kind + " again");
    const auto again = load_problem(options_);
    if (keep(again)
        && again->source->fingerprint() != what.source->fingerprint())
      problems_.push_back(
          {ec::version_mismatch,
           fmt::format("environment {}: two starts of its program gave "
                       "different hellos; it must be the same each time: no "
                       "date, process number or random order in it",
                       what.source->name())});
  }

  void play_one(const problem& what) {
    auto documents = std::make_shared<document_store>();
    const auto made = make_job_runner(options_, what.source, documents,
                                      metrics_, models_.broker);
    if (!keep(made) || !request_.deep || !problems_.empty()) return;
    const auto& task = what.train.front().id;
    step("playing task " + task.value);
    job work;
    work.id = {"preflight"};
    rollout_job rollout;
    rollout.id = work.id;
    rollout.task = task;
    rollout.seed = options_.run.seed;
    rollout.reflect = true;
    rollout.fingerprint = made->fingerprint;
    work.input = std::move(rollout);
    const auto played = made->runner->run(work);
    const auto ended =
        models_.broker ? models_.broker->halted() : std::optional<error>{};
    if (ended) return problems_.push_back(*ended);
    if (!keep(played)) return;
    const auto* outcome = std::get_if<rollout_result>(&played->output);
    if (!played->error.empty() || outcome == nullptr)
      problems_.push_back(
          {ec::environment,
           fmt::format("task {}: {}", task.value, played->error)});
    else if (outcome->outcome == rollout_outcome::environment_error)
      problems_.push_back(
          {ec::environment,
           fmt::format("task {}: {}", task.value, outcome->error)});
    else if (const auto why = why_unstudied(*played)) // it would teach nothing
      problems_.push_back(
          {ec::environment, fmt::format("task {}: {}", task.value, *why)});
  }

  const config& options_;
  const preflight_request& request_;
  std::shared_ptr<process_metrics> metrics_ =
      std::make_shared<process_metrics>();
  run_models models_;
  std::vector<error> problems_;
};

} // namespace

std::vector<error> preflight(const config& options,
                             const preflight_request& request) {
  return checks{options, request}.run();
}

} // namespace brewery
