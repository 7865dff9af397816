#include "sweep/sweep_state.hpp"

#include "base/file.hpp"
#include "base/json.hpp"
#include "store/run_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brewery {

namespace {

constexpr int state_version = 1;
constexpr std::array state_names{"waiting", "begun", "finished", "failed",
                                 "cut"};

json number_or_null(const std::optional<double>& value) {
  return value ? json(*value) : json(nullptr);
}

std::optional<double> number_in(const json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<double>();
}

json json_of(const sweep_run& run) {
  json out{
      {"seed", run.seed}, {"run", run.run}, {"state", to_string(run.state)}};
  if (!run.reason.empty()) out["reason"] = run.reason;
  out["score"] = number_or_null(run.score);
  out["without_documents"] = number_or_null(run.without_documents);
  out["rollouts"] = run.rollouts;
  out["cost_usd"] = run.cost_usd;
  if (run.cut)
    out["cut"] = {{"rung", run.cut->rung},
                  {"after", run.cut->after},
                  {"score", run.cut->score}};
  return out;
}

/// Throws json::exception.
sweep_run run_from(const json& from) {
  sweep_run out;
  out.seed = from.at("seed").get<std::uint64_t>();
  out.run = from.at("run").get<std::string>();
  const auto state = from.at("state").get<std::string>();
  const auto found = std::ranges::find(state_names, state);
  if (found != state_names.end())
    out.state = static_cast<sweep_run_state>(found - state_names.begin());
  out.reason = from.value("reason", "");
  out.score = number_in(from.at("score"));
  out.without_documents = number_in(from.at("without_documents"));
  out.rollouts = from.at("rollouts").get<std::uint64_t>();
  out.cost_usd = from.at("cost_usd").get<double>();
  if (const auto cut = from.find("cut"); cut != from.end())
    out.cut = {cut->at("rung").get<std::size_t>(),
               cut->at("after").get<std::uint32_t>(),
               cut->at("score").get<double>()};
  return out;
}

json json_of(const sweep_point_state& point) {
  json out{{"name", point.name},
           {"options", json::object()},
           {"runs", json::array()}};
  for (const auto& [key, value] : point.options)
    out["options"][key] = value;
  for (const auto& run : point.runs)
    out["runs"].push_back(json_of(run));
  return out;
}

/// Throws json::exception.
sweep_point_state point_from(const json& from) {
  sweep_point_state out;
  out.name = from.at("name").get<std::string>();
  for (const auto& [key, value] : from.at("options").items())
    out.options.emplace_back(key, value.get<std::string>());
  for (const auto& run : from.at("runs"))
    out.runs.push_back(run_from(run));
  return out;
}

sweep_point_state planned(const planned_point& point,
                          const std::vector<std::uint64_t>& seeds) {
  sweep_point_state out{point.name, point.settings, {}};
  for (const auto seed : seeds) {
    sweep_run run;
    run.seed = seed;
    run.run = sweep_run_id(point.name, seed);
    out.runs.push_back(std::move(run));
  }
  return out;
}

void keep_runs(sweep_point_state& now, const sweep_point_state& before) {
  for (const auto& run : before.runs) {
    const auto same = std::ranges::find(now.runs, run.seed, &sweep_run::seed);
    if (same == now.runs.end())
      now.runs.push_back(run);
    else
      *same = run;
  }
}

} // namespace

std::string_view to_string(sweep_run_state state) {
  return state_names[static_cast<std::size_t>(state)];
}

std::filesystem::path sweep_state_file(const std::filesystem::path& sweep) {
  return sweep / "sweep.json";
}

result<sweep_state> read_sweep_state(const std::filesystem::path& sweep) {
  const auto path = sweep_state_file(sweep);
  const auto bytes = read_plain_file(path);
  if (!bytes) return bytes.error();
  try {
    const auto all = json::parse(*bytes);
    if (const auto version = all.at("version").get<int>();
        version != state_version)
      return error{ec::version_mismatch,
                   fmt::format("{}: version {}, and this Brewery reads {}",
                               path.string(), version, state_version)};
    sweep_state out;
    for (const auto& point : all.at("points")) {
      out.points.push_back(point_from(point));
      // They are names of folders here.
      for (const auto& run : out.points.back().runs)
        if (auto ok = run_directory::can_be_id(run.run); !ok)
          return error{ec::corrupt, fmt::format("{}: {}", path.string(),
                                                ok.error().message)};
    }
    return out;
  } catch (const json::exception& wrong) {
    return error{ec::corrupt, fmt::format("{}: not the state of a sweep: {}",
                                          path.string(), wrong.what())};
  }
}

result<void> write_sweep_state(const std::filesystem::path& sweep,
                               const sweep_state& state) {
  json out{{"version", state_version}, {"points", json::array()}};
  for (const auto& point : state.points)
    out["points"].push_back(json_of(point));
  return write_file_atomically(sweep_state_file(sweep), out.dump(1) + '\n');
}

result<sweep_state> extended(const sweep_plan& plan,
                             const sweep_state& before) {
  sweep_state out;
  for (const auto& point : plan.points) {
    out.points.push_back(planned(point, plan.seeds));
    const auto known =
        std::ranges::find(before.points, point.name, &sweep_point_state::name);
    if (known == before.points.end()) continue;
    if (known->options != point.settings)
      return error{ec::invalid_argument,
                   fmt::format("point {} of the sweep has other options than "
                               "the file gives it now: give it another name, "
                               "or another --out",
                               point.name)};
    keep_runs(out.points.back(), *known);
  }
  for (const auto& point : before.points)
    if (std::ranges::find(out.points, point.name, &sweep_point_state::name)
        == out.points.end())
      out.points.push_back(point);
  return out;
}

} // namespace brewery
