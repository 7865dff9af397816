#include "report/sweep/tables.hpp"

#include "base/text.hpp"
#include "report/sweep/markup.hpp"
#include "report/sweep/methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery::sweep_view {

namespace {

std::string score_word(const sweep_figures& sweep) {
  return sweep.score_name.empty() ? "score" : sweep.score_name;
}

struct document_place {
  std::size_t point = 0;
  const seed_figures* seed = nullptr;
  const document_figures* document = nullptr;
};

/// A number by its size; what was not measured comes last.
double size_of(const std::optional<estimate>& number) {
  const auto value = value_of(number);
  return value ? std::abs(*value) : -1;
}

/// By size of the contribution, then of the gain; in given order.
bool ranks_before(const document_place& a, const document_place& b) {
  const auto x = size_of(a.document->contribution);
  const auto y = size_of(b.document->contribution);
  if (x != y) return x > y;
  return size_of(a.document->gain) > size_of(b.document->gain);
}

} // namespace

figure_table points_table(const sweep_figures& sweep) {
  figure_table out;
  out.caption = "Points, in the order of the sweep's file";
  out.columns = {{"no.", true},
                 {"point"},
                 {score_word(sweep), true},
                 {"gain over no documents", true},
                 {"difference to the first", true},
                 {"runs", true},
                 {"rollouts", true},
                 {"reused", true},
                 {"tool calls", true},
                 {"tokens", true},
                 {"cost", true},
                 {"time", true}};
  out.header = 1;
  const auto* best = best_point(sweep);
  for (const auto& point : sweep.points) {
    const auto total = totals_of(point);
    const auto index = static_cast<std::size_t>(&point - sweep.points.data());
    if (&point == best) out.marked = index;
    out.rows.push_back(
        {{std::to_string(index + 1)},
         {point.name},
         {share_text(value_of(point.score)), interval_text(point.score)},
         {change_text(point.gain), change_interval_text(point.gain)},
         first_of_its_benchmark(sweep, index) == index
             ? table_cell{"first"}
             : table_cell{change_text(point.difference),
                          change_interval_text(point.difference)},
         {total.finished == total.runs
              ? std::to_string(total.runs)
              : fmt::format("{} of {}", total.finished, total.runs)},
         {count_text(total.rollouts)},
         {count_text(total.reused)},
         {count_text(total.calls)},
         {count_text(total.tokens_alone)},
         {money_text(total.cost_alone_usd)},
         {time_text(total.seconds)}});
  }
  return out;
}

figure_table growth_table(const sweep_figures& sweep) {
  figure_table out;
  out.caption = "What the searches drew, and how far their trees grew";
  out.columns = {{"no.", true},        {"point"},
                 {"expansions", true}, {"versions", true},
                 {"deepest", true},    {"most children", true}};
  out.header = 1;
  bool any = false;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const auto grown = totals_of(sweep.points[i]).grown;
    any = any || grown.versions > 0;
    out.rows.push_back({{std::to_string(i + 1)},
                        {sweep.points[i].name},
                        {count_text(grown.expansions)},
                        {count_text(grown.versions)},
                        {std::to_string(grown.depth)},
                        {count_text(grown.width)}});
  }
  if (!any) out.rows.clear();
  return out;
}

figure_table savings_table(const sweep_figures& sweep) {
  figure_table out;
  out.caption = "Rollouts that scored versions, and what was saved";
  out.columns = {{"no.", true},          {"point"},
                 {"asked", true},        {"pruned", true},
                 {"resumed", true},      {"raced away", true},
                 {"scored again", true}, {"confirming", true},
                 {"reused", true},       {"saved", true},
                 {"cost saved", true},   {"time saved", true}};
  out.header = 1;
  bool any = false;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const auto total = totals_of(sweep.points[i]);
    std::vector<table_cell> row{{std::to_string(i + 1)},
                                {sweep.points[i].name}};
    for (const auto what : economy::all) {
      row.push_back({count_text(total.scoring.of(what))});
      any = any || (what != economy::asked && total.scoring.of(what) > 0);
    }
    any = any || total.saved.rollouts > 0;
    row.push_back({count_text(total.reused)});
    row.push_back({count_text(total.saved.rollouts)});
    row.push_back({money_text(dollars_of(total.saved.cost))});
    row.push_back({time_text(total.saved.seconds)});
    out.rows.push_back(std::move(row));
  }
  if (!any) out.rows.clear();
  return out;
}

figure_table options_table(const sweep_figures& sweep) {
  figure_table out;
  out.caption = "What each point sets";
  std::vector<std::string> keys;
  for (const auto& point : sweep.points)
    for (const auto& [key, value] : point.options)
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  if (keys.empty()) return out;
  out.columns = {{"no.", true}, {"point"}};
  out.header = 1;
  for (const auto& key : keys)
    out.columns.push_back({key});
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const auto& point = sweep.points[i];
    std::vector<table_cell> row = {{std::to_string(i + 1)}, {point.name}};
    for (const auto& key : keys) {
      const auto found = std::ranges::find(
          point.options, key, [](const auto& option) { return option.first; });
      row.push_back({found == point.options.end() ? "" : found->second});
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

figure_table runs_table(const sweep_figures& sweep) {
  figure_table out;
  out.caption = "Runs of all points";
  out.columns = {{"no.", true},
                 {"point"},
                 {"seed", true},
                 {"run"},
                 {"state"},
                 {score_word(sweep), true},
                 {"no documents", true},
                 {"rollouts", true},
                 {"reused", true},
                 {"tool calls", true},
                 {"tokens", true},
                 {"cost", true},
                 {"time", true}};
  out.header = 3;
  for (std::size_t i = 0; i < sweep.points.size(); ++i)
    for (const auto& seed : sweep.points[i].seeds)
      out.rows.push_back(
          {{std::to_string(i + 1)},
           {sweep.points[i].name},
           {std::to_string(seed.seed)},
           {seed.run},
           {seed.state},
           {share_text(seed.score)},
           {share_text(seed.without)},
           {count_text(seed.rollouts)},
           {count_text(seed.rollouts - std::min(seed.rollouts, seed.played))},
           {count_text(seed.calls)},
           {count_text(seed.tokens)},
           {money_text(seed.cost_usd)},
           {time_text(seed.seconds)}});
  return out;
}

figure_table documents_table(const sweep_figures& sweep, std::size_t most) {
  figure_table out;
  std::vector<document_place> places;
  for (std::size_t i = 0; i < sweep.points.size(); ++i)
    for (const auto& seed : sweep.points[i].seeds)
      for (const auto& document : seed.documents)
        places.push_back({i + 1, &seed, &document});
  std::ranges::stable_sort(places, ranks_before);
  const auto all = places.size();
  if (places.size() > most) places.resize(most);
  const bool left_out = std::ranges::any_of(places, [](const auto& place) {
    return value_of(place.document->contribution).has_value();
  });
  const std::string rank = left_out ? "contribution" : "gain";
  out.caption =
      places.size() < all
          ? fmt::format("Documents: the {} of {} whose {} is largest in size",
                        places.size(), all, rank)
          : fmt::format("Documents, by the size of their {}", rank);
  out.columns = {{"document"},
                 {"no.", true},
                 {"point"},
                 {"seed", true},
                 {"tasks", true},
                 {"attempts", true},
                 {"mean grade", true},
                 {"gain over no documents", true}};
  if (left_out) out.columns.push_back({"contribution", true});
  for (const auto& place : places) {
    out.rows.push_back({{place.document->title},
                        {std::to_string(place.point)},
                        {sweep.points[place.point - 1].name},
                        {std::to_string(place.seed->seed)},
                        {count_text(place.document->tasks)},
                        {count_text(place.document->attempts)},
                        {share_text(place.document->with)},
                        {change_text(place.document->gain),
                         change_interval_text(place.document->gain)}});
    if (left_out)
      out.rows.back().push_back(
          {change_text(place.document->contribution),
           change_interval_text(place.document->contribution)});
  }
  return out;
}

figure_table curves_table(const sweep_figures& sweep) {
  figure_table out;
  out.caption = "By iteration, means over the runs that reached it";
  out.columns = {{"no.", true},  {"point"},          {"iteration", true},
                 {"runs", true}, {"rollouts", true}, {"train", true},
                 {"eval", true}, {"reward", true},   {"best so far", true}};
  out.header = 2;
  for (std::size_t i = 0; i < sweep.points.size(); ++i)
    for (const auto& step : mean_curve(sweep.points[i]))
      out.rows.push_back({{std::to_string(i + 1)},
                          {sweep.points[i].name},
                          {std::to_string(step.iteration)},
                          {std::to_string(step.runs)},
                          {fmt::format("{:.0f}", step.rollouts)},
                          {share_text(step.train)},
                          {share_text(step.eval)},
                          {share_text(step.reward)},
                          {share_text(step.best)}});
  return out;
}

std::vector<legend_entry> legend(const sweep_figures& sweep) {
  return {
      {score_word(sweep),
       "The mean grade of the attempts at the sealed test tasks, which no "
       "search saw, under the published documents; of a point without a "
       "search, with its baseline, or without documents. First over the "
       "attempts at a task, then over the tasks, then over the seeds. 100 % is "
       "solved."},
      {"95 % interval",
       "By a bootstrap: seeds are drawn with replacement, and so are tasks, "
       "the "
       "same ones for all that are drawn. It says how far the number would "
       "move "
       "with other seeds and other tasks of the same kind. Marked *: all tasks "
       "agree or there are fewer than 6, so a bootstrap would claim to be more "
       "certain than it is; Wilson's interval is in it."},
      {"gain over no documents",
       "The score minus the score of the same agent without documents, task "
       "by task, in percentage points (pp)."},
      {"difference to the first",
       "The score minus that of the sweep's first point (of the same "
       "benchmark), task by task, in "
       "percentage points. An interval that covers 0 means that no difference "
       "is shown; it does not mean that there is none."},
      {"runs", "One per seed: how many are finished of how many."},
      {"rollouts, reused",
       "All rollouts that a run asked for, with those that it has in common "
       "with other runs of the sweep: what it would cost alone, without a "
       "final "
       "evaluation that another has replaced. Reused are "
       "those of them that an earlier one of the same run stands for."},
      {"expansions, versions, deepest, most children",
       "Of all runs of a point: iterations in which a tree drew candidates, "
       "versions with the first documents, the depth of the deepest version "
       "(a first one has 0), and the most versions that were drawn from one."},
      {"asked, pruned, resumed, raced away, saved",
       "Rollouts that score versions: asked for; pruned by bounds; pruned and "
       "asked for later, because a choice hung on them; left out of versions "
       "that were probably worse than a sibling. Scored again: beside new "
       "neighbours. Confirming: fresh ones of a version that would be "
       "published. Saved are those that are reused, stay pruned or lost a "
       "race, with what they would have taken: a worker's time and the models "
       "of an attempt, as those that were played took in the mean; of runs "
       "with several strategies those that are reused alone."},
      {"tool calls, tokens",
       "Calls of tools in the rollouts that were played, also in those that a "
       "run has in common with others, and the looks of a verifier. Tokens of "
       "prompts and replies of language models. In the table of methods: of "
       "one run, the mean."},
      {"cost, time",
       "Money for language models, and the time that the runs' own sessions "
       "took, added up. What runs have in common is in the tokens and money "
       "of each point, which are what it would take alone, as far as the runs "
       "that played it are here with the records of their calls; the time has "
       "no part of another run's. Of a single run: what it asked and paid "
       "itself."},
      {"Pareto front",
       "The points of which no other is as cheap and as good, and better in "
       "one of both. Cost is the mean per run, by rollouts if no run cost "
       "money."},
      {"train, eval, test",
       "Train: the mean grade of the rollouts that an iteration learns from, "
       "first in each tree, then over the trees that trained. "
       "Eval: the mean grade of the best documents on the tasks held out for "
       "them. Test: the score, known at the end only."},
      {"reward, best so far",
       "What the search maximises: correctness on eval tasks and retrieval, "
       "weighted. Best so far is the highest a run has reached, then the mean "
       "over runs."},
      {"documents",
       "Tasks and attempts: the sealed ones that were shown the document, with "
       "their mean grade over tasks. Gain over no documents: the difference to "
       "the "
       "attempts at the same tasks without any document. Contribution, with "
       "eval.leave_one_out: what the score loses at these tasks if this one "
       "document is left out. Both paired by task, in percentage points."},
  };
}

} // namespace brewery::sweep_view
