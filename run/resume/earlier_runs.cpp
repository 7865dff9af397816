#include "run/resume/earlier_runs.hpp"

#include "actors/job_log.hpp"
#include "config/load.hpp"
#include "messages/reused_from.hpp"
#include "messages/search_msgs.hpp"
#include "messages/side_records.hpp"
#include "messages/wire/codec.hpp"
#include "roles/kb_retriever.hpp"
#include "roles/make_reader.hpp"
#include "run/arms.hpp"
#include "run/run_identity.hpp"
#include "store/event_log.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <map>
#include <set>

namespace brewery {

namespace {

/// More are closed and opened again.
constexpr std::size_t open_max = 16;

struct earlier_run {
  std::unique_ptr<event_log> log;
  memo_content known;
  config options;
};

/// Error ec::invalid_argument: its rollouts are none of this run's samples.
result<earlier_run> open_fitting(const std::filesystem::path& folder,
                                 const reusing_run& run) {
  auto log = event_log::open_for_reading(folder);
  if (!log) return log.error();
  auto known = load_memo(**log);
  if (!known) return known.error();
  auto then = start_on_record(*known);
  if (!then) return then.error();
  const auto& options = then->options;
  if (options.search.learner != run.options.search.learner)
    return error{ec::invalid_argument,
                 fmt::format("it learned with search.learner = \"{}\"",
                             options.search.learner)};
  if (options.run.seed != run.options.run.seed)
    return error{ec::invalid_argument,
                 fmt::format("its run.seed is {}, that of this run is {}, so "
                             "no rollout has the same draws",
                             options.run.seed, run.options.run.seed)};
  if (then->playing != run.playing) {
    const auto differs = differing_words(then->playing, run.playing);
    return error{ec::invalid_argument,
                 fmt::format("its rollouts depend on \"{}\" where those of "
                             "this run depend on \"{}\"",
                             differs.first, differs.second)};
  }
  return earlier_run{std::move(*log), std::move(*known),
                     std::move(then->options)};
}

/// Rollouts without reflection and method that were shown documents.
result<std::set<job_id>> eligible(const earlier_run& from) {
  std::set<std::string> arms;
  for (const auto& strategy : from.options.search.strategies)
    arms.insert(learned_arm(strategy));
  std::set<job_id> out;
  const auto visit = [&](const event_row& row) -> result<void> {
    if (row.kind != purpose_record::type_name) return {};
    const auto record = wire::decode<purpose_record>(row.payload);
    if (!record) return record.error();
    for (const auto& one : record->purposes)
      if (one.what == purpose::score || one.what == purpose::confirm
          || (one.what == purpose::arm && arms.contains(one.name)))
        out.insert(one.jobs.begin(), one.jobs.end());
    return {};
  };
  if (auto ok = from.log->for_each(visit, job_result::type_name); !ok)
    return ok.error();
  return out;
}

constexpr auto whole = wire::decode<job_result>;
constexpr auto brief = wire::decode_brief<job_result>;

/// A result, with its trajectory or without, as `decode` reads it.
result<job_result> read_result(const event_log& log, std::uint64_t event,
                               result<job_result> (*decode)(std::string_view)) {
  const auto row = log.read(event);
  if (!row) return row.error();
  return decode(row->payload);
}

/// What integrators wrote in the run.
result<void> add_texts(const earlier_run& from,
                       const std::set<job_id>& rollouts,
                       document_store& texts) {
  for (const auto& [job, event] : from.known.logged) {
    if (rollouts.contains(job)) continue;
    auto answer = read_result(*from.log, event, brief);
    if (!answer) return answer.error();
    if (auto* made = std::get_if<integrate_result>(&answer->output))
      texts.add(std::move(made->body));
  }
  return {};
}

/// Keeps logs open; one thread at a time.
std::function<result<rollout_result>(const earlier_place&)> earlier_reader() {
  const auto open =
      std::make_shared<std::map<std::string, std::unique_ptr<event_log>>>();
  return [open](const earlier_place& place) -> result<rollout_result> {
    auto found = open->find(place.folder);
    if (found == open->end()) {
      if (open->size() >= open_max) open->clear();
      auto log = event_log::open_for_reading(place.folder);
      if (!log) return log.error();
      found = open->emplace(place.folder, std::move(*log)).first;
    }
    auto answer = read_result(*found->second, place.event, whole);
    if (!answer) return answer.error();
    auto* rollout = std::get_if<rollout_result>(&answer->output);
    if (!rollout) return error{ec::corrupt, "the event is no rollout"};
    return std::move(*rollout);
  };
}

std::filesystem::path folder_of(const std::string& named,
                                const reusing_run& run) {
  return named.find('/') == std::string::npos ? run.folder.parent_path() / named
                                              : std::filesystem::path{named};
}

} // namespace

result<std::size_t> know_rollouts_of(const std::filesystem::path& folder,
                                     const reusing_run& run,
                                     rollout_reuse& reuse) {
  const auto from = open_fitting(folder, run);
  if (!from) return from.error();
  const auto rollouts = eligible(*from);
  if (!rollouts) return rollouts.error();
  document_store texts;
  if (const auto ok = add_texts(*from, *rollouts, texts); !ok)
    return ok.error();
  std::size_t out = 0;
  rollout_job like;
  like.seed = run.options.run.seed;
  like.fingerprint = run.playing;
  for (const auto& job : *rollouts) {
    const auto at = from->known.logged.find(job);
    if (at == from->known.logged.end()) continue;
    const auto answer = read_result(*from->log, at->second, whole);
    if (!answer) return answer.error();
    const auto* rollout = std::get_if<rollout_result>(&answer->output);
    if (!rollout) continue;
    like.task = rollout->task;
    like.trial = rollout->trial;
    out +=
        reuse.know(like, *rollout, texts,
                   {folder.filename().string(), folder.string(), at->second});
  }
  return out;
}

namespace {

error refuse(const std::string& named, const error& why) {
  return {why.code,
          fmt::format("economy.reuse_from: no rollout of run {} can stand in "
                      "this one: {}; take it out of the list",
                      named, why.message)};
}

result<void>
know_earlier_runs(const reusing_run& run,
                  const std::vector<std::filesystem::path>& siblings,
                  bool goes_on, rollout_reuse& reuse) {
  const auto say = [&](const std::filesystem::path& from, std::size_t count) {
    spdlog::info("reuse_from run={} from={} rollouts={}",
                 run.folder.filename().string(), from.string(), count);
  };
  for (const auto& named : run.options.economy.reuse_from) {
    const auto folder = folder_of(named, run);
    const auto count = know_rollouts_of(folder, run, reuse);
    if (count) {
      say(folder, *count);
      continue;
    }
    const auto why = refuse(named, count.error());
    if (!goes_on) return why;
    spdlog::warn("reuse_from run={} {}", run.folder.filename().string(),
                 why.message);
  }
  if (run.options.economy.reuse == "sweep"
      && run.options.search.learner == "brew")
    for (const auto& folder : siblings)
      if (const auto count = know_rollouts_of(folder, run, reuse))
        say(folder, *count);
  return {};
}

} // namespace

namespace {

replay_options replay_of(const retrieval_options& retrieval) {
  replay_options out{retrieval.top_k, retrieval.bm25};
  if (retrieval.needs_vectors())
    out.by_vectors = [retrieval](const knowledge_base& kb,
                                 const document_vectors& vectors) {
      return make_retriever(kb, retrieval, vectors);
    };
  return out;
}

} // namespace

result<void> check_earlier_runs(const reusing_run& run) {
  for (const auto& named : run.options.economy.reuse_from)
    if (const auto from = open_fitting(folder_of(named, run), run); !from)
      return refuse(named, from.error());
  return {};
}

result<std::unique_ptr<rollout_reuse>>
make_reuse(const reusing_run& run,
           const std::vector<std::filesystem::path>& siblings, bool goes_on,
           std::shared_ptr<const document_store> documents) {
  if (run.options.economy.reuse == "off")
    return std::unique_ptr<rollout_reuse>{};
  const auto how = make_reader(run.options.roles());
  BREWERY_ASSERT(how); // the configuration was checked
  const auto& retrieval = run.options.retrieval;
  auto out = std::make_unique<rollout_reuse>(
      *how, std::move(documents),
      reuse_options{.replay = replay_of(retrieval),
                    .audit_share = run.options.economy.audit_reuse,
                    .reflections = review_the_attempt_only(run.options.roles()),
                    .read_earlier = earlier_reader()});
  if (auto ok = know_earlier_runs(run, siblings, goes_on, *out); !ok)
    return ok.error();
  return out;
}

} // namespace brewery
