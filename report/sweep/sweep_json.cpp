#include "report/sweep/sweep_json.hpp"

#include "report/sweep/markup.hpp"

#include <algorithm>

namespace brewery {

namespace {

using namespace sweep_view;

void add(json& out, const char* name, std::optional<double> number) {
  if (const auto known = finite(number)) out[name] = *known;
}

void add(json& out, const char* name, const std::optional<estimate>& number) {
  if (!value_of(number)) return;
  out[name] = {{"value", number->value},
               {"low", number->low},
               {"high", number->high},
               {"interval", to_string(number->kind)}};
}

json seed_json(const seed_figures& seed) {
  json out{{"seed", seed.seed},
           {"run", seed.run},
           {"state", seed.state},
           {"cut", seed.cut},
           {"rollouts", seed.rollouts},
           {"reused", seed.rollouts - std::min(seed.rollouts, seed.played)},
           {"calls", seed.calls},
           {"tokens", seed.tokens},
           {"tokens_alone", seed.tokens_alone}};
  if (seed.grown.versions > 0)
    out["grown"] = {{"expansions", seed.grown.expansions},
                    {"versions", seed.grown.versions},
                    {"depth", seed.grown.depth},
                    {"width", seed.grown.width}};
  for (const auto& one : seed.scoring.list())
    out["scoring"][one.what] = one.rollouts;
  if (seed.saved.rollouts > 0)
    out["saved"] = {{"rollouts", seed.saved.rollouts},
                    {"seconds", seed.saved.seconds},
                    {"cost_usd", dollars_of(seed.saved.cost)}};
  add(out, "score", seed.score);
  add(out, "without", seed.without);
  add(out, "cost_usd", seed.cost_usd);
  add(out, "cost_alone_usd", seed.cost_alone_usd);
  add(out, "seconds", seed.seconds);
  return out;
}

} // namespace

json sweep_head_json(const sweep_figures& sweep) {
  const auto all = totals_of(sweep);
  json out{{"name", sweep.name},
           {"benchmark", sweep.benchmark},
           {"made", sweep.made},
           {"score_name", sweep.score_name},
           {"headline", headline(sweep)},
           {"cautions", cautions(sweep)},
           {"runs", all.runs},
           {"finished", all.finished},
           {"not_begun", sweep.not_begun},
           {"absent", sweep.absent},
           {"unreadable", sweep.unreadable},
           {"rollouts", all.rollouts},
           {"reused", all.reused},
           {"cost_usd", all.cost_usd}};
  out["legend"] = json::array();
  for (const auto& [term, meaning] : legend(sweep))
    out["legend"].push_back({{"term", term}, {"meaning", meaning}});
  return out;
}

json sweep_point_json(const point_figures& point) {
  json out{{"name", point.name},
           {"benchmark", point.benchmark},
           {"options", json::array()},
           {"seeds", json::array()}};
  for (const auto& [key, value] : point.options)
    out["options"].push_back({{"key", key}, {"value", value}});
  for (const auto& seed : point.seeds)
    out["seeds"].push_back(seed_json(seed));
  add(out, "score", point.score);
  add(out, "gain", point.gain);
  add(out, "difference", point.difference);
  return out;
}

std::vector<named_chart> charts_of(const sweep_figures& sweep) {
  std::vector<named_chart> out;
  for (auto& chart : {scores_chart(sweep), cost_chart(sweep), heat_map(sweep),
                      progress_chart(sweep)})
    if (chart) out.push_back({"mixed", *chart});
  for (auto& chart : curve_charts(sweep))
    out.push_back({"curve", std::move(chart)});
  return out;
}

json chart_json(const named_chart& one) {
  const auto& chart = one.chart;
  return {{"id", chart.id},
          {"kind", one.kind},
          {"title", chart.title},
          {"reading", chart.reading},
          {"svg", chart.svg},
          {"key", chart.key},
          {"numbers", table_json(chart.numbers)}};
}

std::vector<figure_table> tables_of(const sweep_figures& sweep) {
  std::vector<figure_table> out;
  for (auto& table :
       {methods_table(sweep), points_table(sweep), options_table(sweep),
        documents_table(sweep), runs_table(sweep)})
    if (!table.columns.empty() && !table.rows.empty()) out.push_back(table);
  return out;
}

json table_json(const figure_table& table) {
  json out{{"caption", table.caption},
           {"columns", json::array()},
           {"header", table.header},
           {"rows", json::array()}};
  for (const auto& column : table.columns)
    out["columns"].push_back(
        {{"name", column.name}, {"number", column.number}});
  for (const auto& row : table.rows) {
    auto cells = json::array();
    for (const auto& cell : row) {
      cells.push_back({{"text", cell.text}});
      if (!cell.note.empty()) cells.back()["note"] = cell.note;
    }
    out["rows"].push_back(std::move(cells));
  }
  if (table.marked) out["marked"] = *table.marked;
  return out;
}

} // namespace brewery
