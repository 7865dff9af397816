#include "run/run_pipeline.hpp"

#include "actors/job_log.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "config/model_use.hpp"
#include "learners/comparators/comparator_memory.hpp"
#include "messages/side_records.hpp"
#include "messages/wire/codec.hpp"
#include "run/arms.hpp"
#include "run/build_info.hpp"
#include "run/evaluation/baselines.hpp"
#include "run/evaluation/left_out.hpp"
#include "run/evaluation/memory_port.hpp"
#include "run/learners/make_learner.hpp"
#include "run/report/report_page.hpp"
#include "store/event_log.hpp"
#include "store/folder.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <ctime>
#include <iterator>

namespace brewery {

result<run_summary> run_pipeline::run(const run_record& started) {
  if (auto ok =
          machine_.record(run_record::type_name, "run", wire::encode(started));
      !ok)
    return ok.error();
  run_summary summary;
  summary.run_id = in_.directory.id();
  std::error_code unknown; // then by the path as it is
  summary.named = name_for_commands(
      std::filesystem::absolute(in_.directory.path(), unknown),
      std::filesystem::absolute(config{}.run.runs_dir, unknown));
  summary.documents = in_.directory.documents();
  summary.workers = machine_.workers();
  summary.gather_quorum = in_.options.search.gather_quorum;
  summary.expansions = in_.options.search.tree.expansions;
  summary.train_trials = in_.options.search.train_trials;
  summary.models = models_used(in_.options);
  summary.facts = facts();
  auto made = make_learner(in_.options, what_, prints_, machine_.documents());
  if (!made) return made.error();
  learner_ = std::move(*made);
  announce();
  auto searched = search();
  if (!searched) return searched.error();
  summary.searches = std::move(*searched);
  if (in_.options.search.final_evaluation)
    if (auto ok = evaluate(summary); !ok) return ok.error();
  summary.rollouts = machine_.rollouts();
  summary.reuse = machine_.reused();
  summary.reuse.is_on = in_.options.economy.reuse != "off";
  const auto failed = machine_.failed();
  summary.failed_jobs = failed.size();
  summary.failure = first_reason(failed);
  summary.notes = machine_.notes();
  if (in_.models.service)
    summary.asked = in_.models.service->asked_by_role(in_.options);
  return summary;
}

run_facts run_pipeline::facts() const {
  const auto& where = in_.options.environment;
  run_facts out;
  out.version = "brewery " BREWERY_VERSION;
  out.commit = build_commit();
  out.benchmark = fmt::format(
      "{}{}: {} train, {} eval and {} sealed test tasks", where.kind,
      where.data.empty() ? "" : " in " + where.data.string(),
      what_.train.size(), what_.eval.size(), what_.test.size());
  out.seed = std::to_string(in_.options.run.seed);
  out.configuration =
      fmt::format("{}; in full: `config.toml`",
                  in_.options.search.learned().empty()
                      ? "no search"
                      : join(in_.options.search.learned(), ", "));
  return out;
}

void run_pipeline::announce() {
  const auto& options = in_.options;
  const auto strategies = options.search.learned();
  // What a learner serves is not a number that is known before.
  const auto arms =
      1 + options.eval.baselines.size() + (learner_ ? 0 : strategies.size());
  machine_.board().update([&](progress_view& view) {
    for (const auto& strategy : strategies) {
      auto& one = view.searches.emplace_back();
      one.search = strategy;
      one.iterations = options.search.iterations;
    }
    if (options.search.final_evaluation)
      view.evaluations_left = arms * rollouts_per_arm();
  });
}

std::uint64_t run_pipeline::rollouts_per_arm() const {
  return std::uint64_t{in_.options.eval.test_trials} * what_.test.size();
}

result<void> run_pipeline::write(run_summary& summary) {
  for (std::size_t i = 0; i < summary.searches.size(); ++i) {
    const auto& search = summary.searches[i];
    auto made = learned_from(
        search, documents_,
        [&](const job_id& rollout) { return machine_.rollout(rollout); },
        summary.run_id, in_.options.run.seed, summary.gather_quorum);
    if (!made) return made.error();
    // The documents of the first strategy are the published ones.
    auto target = in_.directory.documents();
    if (i > 0)
      target = in_.directory.path() / "strategies" / search.strategy / "kb";
    if (auto ok = make_directories(target.parent_path()); !ok)
      return ok.error();
    auto written = write_knowledge_base(target, made->kb, made->about);
    if (!written) return written.error();
  }
  add_saved(summary, machine_.played());
  summary.facts.cost = models_text(in_.models);
  summary.facts.finished =
      fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
  // Written last: its presence marks the run as finished.
  return write_file_atomically(
      in_.directory.report(),
      report_text(summary, documents_)
          + (learner_ ? "\n" + learner_->report() : std::string{}));
}

result<void> run_pipeline::write_unfinished() {
  if (in_.options.search.learned().empty()) return {};
  const auto strategy = in_.options.search.learned().front();
  const auto gathered = machine_.last_gather(strategy);
  if (!gathered) return {};
  // After a resume, earlier documents may not have been read back yet. Then the
  // folder still has them from the last interruption.
  for (const auto& ref : gathered->current)
    if (!documents_.find(ref.hash)) return {};
  auto made =
      learned_so_far(*gathered, documents_, in_.directory.id(),
                     in_.options.run.seed, in_.options.search.gather_quorum);
  if (!made) return made.error();
  auto written =
      write_knowledge_base(in_.directory.documents(), made->kb, made->about);
  if (!written) return written.error();
  return {};
}

result<std::vector<search_outcome>> run_pipeline::search() {
  if (learner_) {
    if (auto ok = machine_.play(learner_->name(), {learner_->learning()}); !ok)
      return ok.error();
    return std::vector{learner_->outcome()};
  }
  std::vector<planned_search> planned;
  for (const auto& strategy : in_.options.search.strategies) {
    auto settings = settings_for(in_.options, what_, strategy, prints_);
    if (!settings) return settings.error();
    planned.push_back({strategy, std::make_shared<const brew_settings>(
                                     std::move(*settings))});
  }
  return machine_.search(planned);
}

result<void> run_pipeline::play_first_rollouts(const brew_settings& settings) {
  const auto trials = in_.options.search.initial_trials;
  machine_.board().update([&](progress_view& view) {
    view.evaluations_left += trials * what_.train.size();
  });
  evaluation_arm first{"first rollouts", settings, {}};
  first.reflect = true; // so that runs with a search have the same
  return machine_.evaluate({first}, "train", what_.train, trials,
                           [](const evaluation_record&) -> result<void> {
                             return {}; // the log has them
                           });
}

result<std::vector<doc_ref>>
run_pipeline::memory_of(const std::string& comparator,
                        const brew_settings& settings) {
  const bool on_model = in_.options.memory.kind == "llm";
  const auto writer = std::make_shared<comparator_memory>(comparator_settings{
      comparator, settings, on_model && comparator == comparators::a_mem,
      machine_.documents()});
  if (auto ok = machine_.play(comparator, {writer}); !ok) return ok.error();
  if (writer->hashes().empty())
    spdlog::warn("run {}: the memory of {} is empty, since nothing could be "
                 "recorded of the train tasks: it is the agent without "
                 "knowledge",
                 in_.directory.id(), comparator);
  return refs_of(writer->hashes());
}

result<void> run_pipeline::recall_for(evaluation_arm& arm,
                                      const std::vector<doc_ref>& told) {
  const auto log = event_log::open_for_reading(in_.directory.path());
  if (!log) return log.error();
  const auto memo = load_memo(**log);
  if (!memo) return memo.error();
  auto known = recalled_of(*memo);
  if (!known) return known.error();
  arm.shows_whole = is_shown_whole(*memo);
  if (!*known) {
    std::vector<std::string> texts;
    for (const auto& ref : told)
      texts.push_back(documents_.find(ref.hash)->body);
    auto found = recall(
        in_.options.memory_port, texts, what_.test,
        [this] { return machine_.stopped(); },
        [](const std::string& line) { spdlog::info("memory: {}", line); });
    if (!found) return found.error();
    if (auto ok =
            machine_.record(std::string{recall_kind},
                            std::string{comparators::port}, encoded(*found));
        !ok)
      return ok.error();
    *known = std::move(*found);
  }
  for (const auto& [task, texts] : **known) {
    std::vector<std::string> hashes;
    for (const auto& text : texts)
      hashes.push_back(documents_.add(text)->hash.value);
    arm.knowledge_of[task] = refs_of(hashes);
  }
  return {};
}

result<std::vector<evaluation_arm>>
run_pipeline::arms_of(const run_summary& summary) {
  const auto settings = evaluation_settings(in_.options, what_, prints_);
  if (!settings) return settings.error();
  std::vector<evaluation_arm> out;
  out.push_back({"no KB", *settings, {}});
  for (const auto& method : in_.options.eval.baselines) {
    if (is_comparator(method)) { // a memory, not a way to approach a task
      auto found = memory_of(method, *settings);
      if (!found) return found.error();
      evaluation_arm arm{in_.options.arm_of(method), *settings, {}};
      if (method != comparators::port)
        arm.knowledge = std::move(*found);
      else if (auto ok = recall_for(arm, *found); !ok)
        return ok.error();
      out.push_back(std::move(arm));
      continue;
    }
    std::vector<doc_ref> examples;
    if (method == methods::in_context) {
      if (!in_.options.begins_with_rollouts())
        if (auto ok = play_first_rollouts(*settings); !ok) return ok.error();
      auto found = example_knowledge(in_.directory, *settings,
                                     in_.options.agent.kind, documents_);
      if (!found) return found.error();
      examples = std::move(*found);
      if (examples.empty())
        spdlog::warn("run {}: the baseline in-context has no example, since "
                     "no train task was solved without knowledge: it is the "
                     "agent without knowledge",
                     in_.directory.id());
    }
    const bool no_example = method == methods::in_context && examples.empty();
    out.push_back({method, *settings, std::move(examples)});
    if (!no_example) out.back().settings.method = method;
  }
  if (learner_) return out; // it serves its own
  for (const auto& search : summary.searches)
    out.push_back({learned_arm(search.strategy), *settings,
                   published_refs(search, documents_)});
  return out;
}

namespace {

/// For people: a drawn split is no split of the benchmark.
std::string test_name(const environment_options& where) {
  return where.draw_from.empty() ? where.test_split
                                 : "rest of " + where.draw_from;
}

} // namespace

namespace {

/// The one on record if it says the same of every attempt: an older release
/// counted fewer things beside.
result<std::optional<evaluation_record>>
same_on_record(const memo_content& known, const evaluation_record& made) {
  const auto at = known.decisions.find(
      fmt::format("{}/{}", evaluation_record::type_name, made.name));
  if (at == known.decisions.end()) return std::optional<evaluation_record>{};
  auto before = wire::decode<evaluation_record>(at->second);
  if (!before) return before.error();
  const bool same = before->split == made.split && before->tasks == made.tasks
                    && before->rewards == made.rewards;
  return same ? std::optional{std::move(*before)} : std::nullopt;
}

} // namespace

result<std::vector<evaluation_record>> run_pipeline::serve() {
  const auto arms =
      learner_->serving({test_name(in_.options.environment), what_.test,
                         in_.options.eval.test_trials});
  if (auto ok = machine_.play(learner_->name() + " on test",
                              {arms.begin(), arms.end()});
      !ok)
    return ok.error();
  const auto log = event_log::open_for_reading(in_.directory.path());
  if (!log) return log.error();
  const auto known = load_memo(**log);
  if (!known) return known.error();
  std::vector<evaluation_record> out;
  for (const auto& arm : arms) {
    out.push_back(arm->measured());
    const auto& made = out.back();
    job_purpose asked;
    asked.what = purpose::arm;
    asked.name = made.name;
    asked.jobs = arm->attempts();
    if (auto ok = machine_.record(
            purpose_record::type_name,
            arm_key(in_.options.eval.test_trials, made.split, made.name),
            wire::encode(purpose_record{{std::move(asked)}}));
        !ok)
      return ok.error();
    auto before = same_on_record(*known, made);
    if (!before) return before.error();
    if (*before) {
      out.back() = std::move(**before);
      continue;
    }
    if (auto ok = machine_.record(evaluation_record::type_name, made.name,
                                  wire::encode(made));
        !ok)
      return ok.error();
  }
  return out;
}

result<void> run_pipeline::evaluate(run_summary& summary) {
  const auto planned = arms_of(summary);
  if (!planned) return planned.error();
  std::vector<evaluation_record> arms;
  auto done = machine_.evaluate(
      *planned, test_name(in_.options.environment), what_.test,
      in_.options.eval.test_trials, [&](evaluation_record arm) -> result<void> {
        auto recorded = machine_.record(evaluation_record::type_name, arm.name,
                                        wire::encode(arm));
        if (recorded) arms.push_back(std::move(arm));
        return recorded;
      });
  if (!done) return done.error();
  if (learner_) {
    auto served = serve();
    if (!served) return served.error();
    std::move(served->begin(), served->end(), std::back_inserter(arms));
  }
  summary.arms = compare_arms(arms, in_.options.eval.test_trials);
  if (!in_.options.eval.leave_one_out || summary.searches.empty() || learner_)
    return {};
  const auto published = planned->size() - summary.searches.size();
  return leave_one_out(summary, (*planned)[published], arms[published]);
}

result<void> run_pipeline::leave_one_out(run_summary& summary,
                                         const evaluation_arm& whole,
                                         const evaluation_record& measured) {
  const auto trials = in_.options.eval.test_trials;
  const auto arms = left_out_arms(in_.directory, whole, what_.test, trials);
  if (!arms) return arms.error();
  machine_.board().update([&](progress_view& view) {
    for (const auto& arm : *arms)
      view.evaluations_left += arm.only.size() * trials;
  });
  return machine_.evaluate(
      *arms, test_name(in_.options.environment), what_.test, trials,
      [&](const evaluation_record& arm) -> result<void> {
        if (auto ok = machine_.record(evaluation_record::type_name, arm.name,
                                      wire::encode(arm));
            !ok)
          return ok;
        auto made = contribution_of(measured, arm);
        if (!made) return {};
        for (const auto& one : summary.searches.front().documents)
          if (one.about.id == made->about) made->title = one.about.title;
        summary.contributions.push_back(std::move(*made));
        return {};
      });
}

} // namespace brewery
