#include "web/sweep_pages.hpp"

#include "report/sweep/sweep_json.hpp"
#include "report/sweep/sweep_points.hpp"

namespace brewery::web {

namespace {

/// Other requests wait for one.
constexpr std::chrono::milliseconds reading_max{500};

json sweep_row_json(const shown_sweep& sweep) {
  json out{{"id", sweep.id}};
  const auto state = state_of_sweep(sweep.path);
  if (!state) {
    out["problem"] = state.error().message;
    return out;
  }
  std::map<std::string, std::size_t> states;
  std::size_t runs = 0;
  double cost_usd = 0;
  for (const auto& point : state->points)
    for (const auto& run : point.runs) {
      ++runs;
      ++states[std::string{to_string(run.state)}];
      cost_usd += run.cost_usd;
    }
  out["points"] = state->points.size();
  out["runs"] = runs;
  out["states"] = states;
  out["cost_usd"] = cost_usd;
  return out;
}

template <class List, class F>
void add_list(json& out, const List& list, const page& asked, F item) {
  add_page(out, asked, list.size(),
           [&](std::size_t i) { return item(list[i]); });
}

} // namespace

result<json> sweeps_json(const run_shelf& shelf, const page& asked) {
  auto out = json::object();
  add_list(out, shelf.sweeps().list(), asked, sweep_row_json);
  return out;
}

result<json> sweep_json(run_shelf& shelf, const std::string& id,
                        const std::string& what, const page& asked) {
  const auto sweep = shelf.sweeps().find(id);
  if (!sweep) return sweep.error();
  const auto got = shelf.sweeps().read(*sweep, reading_max);
  if (!got) return got.error();
  if (!got->figures)
    return json{{"reading", {{"read", got->read}, {"runs", got->runs}}}};
  auto out = sweep_head_json(*got->figures);
  out["id"] = sweep->id;
  out["prefix"] = sweep->prefix;
  if (what == "charts")
    add_list(out, charts_of(*got->figures), asked, chart_json);
  else if (what == "tables")
    add_list(out, tables_of(*got->figures), asked, table_json);
  else
    add_list(out, got->figures->points, asked, sweep_point_json);
  return out;
}

} // namespace brewery::web
