#include "web/rollout_pages.hpp"

#include "base/text.hpp"
#include "llm/accounts/reply_notes.hpp"
#include "messages/json.hpp"
#include "messages/reused_from.hpp"
#include "messages/wire/codec.hpp"
#include "report/log_rows.hpp"
#include "report/osworld_export.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::web {

namespace {

/// Of what stands beside the steps: more is counted, not shown.
constexpr std::size_t first_max = 200;

std::string_view to_string(rollout_outcome outcome) {
  switch (outcome) {
  case rollout_outcome::graded:
    return "graded";
  case rollout_outcome::environment_error:
    return "environment error";
  case rollout_outcome::quarantined:
    return "given up";
  }
  return "";
}

json arms_with(const open_run& run, const job_id& id) {
  auto out = json::array();
  for (const auto& [arm, rollouts] : *run.arms)
    if (rollouts.contains(id)) out.push_back(arm);
  return out;
}

/// Which trial of its arm; of a search's rollout its own number.
std::uint32_t trial_of(const open_run& run, const listed_rollout& item) {
  for (const auto& [arm, rollouts] : *run.arms)
    if (const auto at = rollouts.find(item.id); at != rollouts.end())
      return at->second;
  return item.trial;
}

/// The first few of a list, made by `item`.
template <class List, class F>
json first_of(const List& list, F item) {
  auto out = json::array();
  for (std::size_t i = 0; i < std::min(list.size(), first_max); ++i)
    out.push_back(item(list[i]));
  return out;
}

json listed_json(const open_run& run, const listed_rollout& item) {
  json out{{"id", item.id.value},
           {"task", item.task.value},
           {"trial", trial_of(run, item)},
           {"outcome", to_string(item.outcome)},
           {"reward", item.reward},
           {"seconds", static_cast<double>(item.duration_us) * 1e-6},
           {"arms", arms_with(run, item.id)}};
  if (is_of_other_run(item.reused_from)) {
    const auto slash = item.reused_from.find('/');
    out["reused_run"] = item.reused_from.substr(0, slash);
    out["reused_from"] = item.reused_from.substr(slash + 1);
  } else if (!item.reused_from.empty()) {
    out["reused_from"] = item.reused_from;
  }
  return out;
}

/// As `rollout_filter` names it.
std::string_view grade_of(const listed_rollout& item) {
  if (item.outcome != rollout_outcome::graded) return "none";
  return item.reward >= 1 ? "full" : "less";
}

bool is_wanted(const open_run& run, const listed_rollout& item,
               const rollout_filter& wanted) {
  if (!wanted.grade.empty() && grade_of(item) != wanted.grade) return false;
  if (static_cast<double>(item.duration_us) * 1e-6 < wanted.seconds)
    return false;
  if (wanted.arm.empty()) return true;
  if (wanted.arm == "search")
    return !run.index->is_of_arms(item.id)
           && std::ranges::none_of(*run.arms, [&](const auto& arm) {
                return arm.second.contains(item.id);
              });
  const auto arm = run.arms->find(wanted.arm);
  return arm != run.arms->end() && arm->second.contains(item.id);
}

json step_json(const trajectory_step& step, std::size_t number) {
  json out{{"step", number},
           {"requestor", step.requestor},
           {"tool", shortened(step.tool)},
           {"arguments", shortened(step.arguments)},
           {"observation", shortened(step.observation)},
           {"failed", step.failed},
           {"reason", shortened(step.reason)}};
  if (auto hash = screenshot_in(step.observation); !hash.empty())
    out["screenshot"] = std::move(hash);
  return out;
}

json query_json(const open_run& run, const retrieval_record& asked) {
  return {{"query", shortened(asked.query)},
          {"documents", first_of(asked.documents, [&](const doc_hash& hash) {
             json out{{"hash", hash.value}};
             if (const auto* place = run.index->place_of(hash)) {
               out["strategy"] = place->strategy;
               out["concept"] = place->concept_ref.value;
               out["title"] = shortened(run.index->title_of(*place));
             }
             return out;
           })}};
}

/// What the agent did, in order: the number of a step, or of a query.
struct done_item {
  bool is_query = false;
  std::size_t at = 0;
};

std::vector<done_item> in_order(const rollout_result& rollout) {
  std::vector<done_item> out;
  std::size_t query = 0;
  const auto add_queries = [&](std::size_t before) {
    while (query < rollout.retrievals.size()
           && rollout.retrievals[query].step <= before)
      out.push_back({true, query++});
  };
  for (std::size_t i = 0; i < rollout.steps.size(); ++i) {
    add_queries(i);
    out.push_back({false, i});
  }
  add_queries(std::size_t{0} - 1);
  return out;
}

/// Whether `text` has `small`, which has no large letters.
bool has_text(std::string_view text, std::string_view small) {
  const auto same = [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  };
  return std::search(text.begin(), text.end(), small.begin(), small.end(), same)
         != text.end();
}

/// Whether a rollout is of a task that `rollout_filter` names.
std::function<bool(const listed_rollout&)> is_of_task(const open_run& run,
                                                      const std::string& task) {
  if (task.empty()) return [](const listed_rollout&) { return true; };
  const auto is_it = [task](const listed_rollout& item) {
    return item.task.value == task;
  };
  if (std::ranges::any_of(run.index->rollouts(), is_it)) return is_it;
  return [small = lower(task)](const listed_rollout& item) {
    return has_text(item.task.value, small);
  };
}

/// `wanted` has its text in small letters.
bool is_wanted(const rollout_result& rollout, const done_item& item,
               const done_filter& wanted) {
  const auto& small = wanted.text;
  if (item.is_query)
    return !wanted.failed
           && (small.empty()
               || has_text(rollout.retrievals[item.at].query, small));
  const auto& step = rollout.steps[item.at];
  if (wanted.failed && !step.failed) return false;
  if (small.empty()) return true;
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{step.tool, step.arguments,
                                              step.observation, step.reason},
      [&](std::string_view text) { return has_text(text, small); });
}

json insight_json(const insight& item) {
  return {{"topic", shortened(item.topic)},
          {"sentence", shortened(item.sentence)}};
}

/// What it was for: an arm, a search's first rollouts, or a tree's.
json purposes_json(const open_run& run, const job_id& rollout) {
  return first_of(run.index->purposes_of(rollout), [&](const job_purpose& one) {
    json out{{"what", one.what}, {"name", one.name}};
    if (one.what == purpose::arm || one.what == purpose::first) return out;
    const document_place place{one.name, one.concept_ref};
    out["concept"] = one.concept_ref.value;
    out["title"] = shortened(run.index->title_of(place));
    out["iteration"] = one.iteration;
    out["document"] = one.candidate.value;
    if (const auto version = run.index->version_of(place, one.candidate))
      out["version"] = version->value;
    return out;
  });
}

json head_json(const open_run& run, const listed_rollout& listed,
               const rollout_result& played) {
  auto out = listed_json(run, listed);
  out["for"] = purposes_json(run, listed.id);
  out["for_recorded"] = run.index->says_purposes();
  out["outcome"] = to_string(played.outcome);
  out["reward"] = played.grade.reward;
  out["seconds"] = static_cast<double>(played.duration_us) * 1e-6;
  out["error"] = shortened(played.error);
  out["checks_total"] = played.grade.parts.size();
  out["checks"] = first_of(played.grade.parts, [](const grade_part& part) {
    return json{{"name", shortened(part.name)}, {"met", part.met}};
  });
  out["ratings"] = first_of(played.ratings, [](const rubric_rating& rating) {
    return json{{"rubric", shortened(rating.rubric)},
                {"score", rating.score},
                {"reason", shortened(rating.reason)}};
  });
  out["insights_total"] = played.insights.size();
  out["insights"] = first_of(played.insights, [](const auto& item) {
    return insight_json(item.get());
  });
  out["notes"] = first_of(played.notes, [](const reply_note& note) {
    return json(shortened(note_text(note)));
  });
  return out;
}

result<rollout_result> read_played(const open_run& run,
                                   const listed_rollout& listed) {
  const auto row = run.log->read(listed.event);
  if (!row) return row.error();
  auto made = wire::decode<job_result>(row->payload);
  if (!made) return made.error();
  auto* played = std::get_if<rollout_result>(&made->output);
  if (row->key != listed.id.value || played == nullptr) return replaced(*row);
  return std::move(*played);
}

const listed_rollout* that_stands(const open_run& run,
                                  const listed_rollout& listed) {
  return run.index->find(with_trajectory(listed.id, listed.reused_from));
}

/// Whether a step or a query of it has the text, which is in small letters.
result<bool> has_text(const open_run& run, const listed_rollout& listed,
                      const std::string& small) {
  const auto* stands = that_stands(run, listed);
  if (!stands) return false;
  const auto row = run.log->read(stands->event);
  if (!row) return row.error();
  if (!has_text(row->payload, small)) return false; // texts stand in it as is
  const auto played = read_played(run, *stands);
  if (!played) return played.error();
  return std::ranges::any_of(in_order(*played), [&](const done_item& one) {
    return is_wanted(*played, one, {{}, small});
  });
}

/// Keeps those with the text, of the first few; returns how many were read.
result<std::size_t> keep_with_text(const open_run& run, const std::string& text,
                                   std::vector<const listed_rollout*>& all) {
  const auto small = lower(text);
  const auto count = std::min(all.size(), rollouts_searched_max);
  std::vector<const listed_rollout*> found;
  for (std::size_t i = 0; i < count; ++i) {
    const auto has = has_text(run, *all[i], small);
    if (!has) return has.error();
    if (*has) found.push_back(all[i]);
  }
  all = std::move(found);
  return count;
}

} // namespace

result<json> rollouts_json(const open_run& run, const rollout_filter& wanted,
                           const page& asked) {
  const auto of_task = is_of_task(run, wanted.task);
  std::vector<const listed_rollout*> found;
  for (const auto& item : run.index->rollouts())
    if (of_task(item) && is_wanted(run, item, wanted)) found.push_back(&item);
  std::ranges::sort(found, std::ranges::greater{}, &listed_rollout::event);
  auto out = json::object();
  if (!wanted.text.empty()) {
    out["chosen"] = found.size();
    const auto searched = keep_with_text(run, wanted.text, found);
    if (!searched) return searched.error();
    out["searched"] = *searched;
  }
  out["arms"] = json::array();
  for (const auto& [arm, rollouts] : *run.arms)
    out["arms"].push_back(arm);
  add_page(out, asked, found.size(),
           [&](std::size_t i) { return listed_json(run, *found[i]); });
  return out;
}

result<json> rollout_page_json(const open_run& run, const std::string& id,
                               const page& asked, const done_filter& wanted) {
  const auto* listed = run.index->find(job_id{id});
  if (!listed) return error{ec::not_found, "the run's log has no such rollout"};
  const auto* stands = that_stands(run, *listed);
  if (!stands)
    return error{ec::corrupt, fmt::format("the log lacks rollout {}, which "
                                          "stands for {}",
                                          listed->reused_from, id)};
  const auto played = read_played(run, *stands);
  if (!played) return played.error();
  auto out = head_json(run, *listed, *played);
  auto done = in_order(*played);
  out["done"] = done.size();
  auto small = wanted;
  small.text = lower(wanted.text);
  std::erase_if(done, [&](const done_item& one) {
    return !is_wanted(*played, one, small);
  });
  auto from = asked;
  if (wanted.step) {
    constexpr std::size_t before = 5;
    const auto at = std::ranges::find_if(done, [&](const done_item& one) {
      return !one.is_query && one.at + 1 == *wanted.step;
    });
    if (at == done.end())
      return error{ec::not_found,
                   fmt::format("the rollout has no step {}", *wanted.step)};
    const auto index = static_cast<std::size_t>(at - done.begin());
    from.offset = index - std::min(index, before);
  }
  add_page(out, from, done.size(), [&](std::size_t i) {
    return done[i].is_query
               ? query_json(run, played->retrievals[done[i].at])
               : step_json(played->steps[done[i].at], done[i].at + 1);
  });
  return out;
}

} // namespace brewery::web
