#include "sweep/sweep_file.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "config/load.hpp"
#include "config/option.hpp"
#include "config/rules.hpp"
#include "sweep/sweep_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace brewery {

namespace {

/// A run's id is at most so long (store/run_directory.hpp).
constexpr std::size_t id_bytes_max = 64;

bool may_be_in_id(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
         || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

/// An option of a point with the one value that it has there.
struct chosen {
  const sweep_setting* from;
  option_value value;
};

struct unread_point {
  std::string name, where;
  std::vector<chosen> settings;
};

/// "max_width-3": what is not for folders' names becomes '-'.
std::string word_of(const chosen& one) {
  auto value = write_toml(one.value);
  std::erase(value, '"');
  for (auto& c : value)
    if (!may_be_in_id(c)) c = '-';
  return one.from->item->name + '-' + value;
}

result<std::size_t> size_of_grid(const sweep_text& text,
                                 const std::string& file) {
  std::size_t points = text.grid.empty() ? 0 : 1;
  for (const auto& axis : text.grid) {
    points *= axis.values.size();
    if (points > sweep_runs_max) break;
  }
  points += text.points.size();
  if (points == 0)
    return error{ec::invalid_config,
                 file + ": no points: give a [grid] or [[points]]"};
  if (points * text.seeds.size() > sweep_runs_max)
    return error{ec::invalid_config,
                 fmt::format("{}: the points with their seeds are more than "
                             "{} runs: leave out values",
                             file, sweep_runs_max)};
  return points;
}

void add_grid(const sweep_text& text, std::size_t axis,
              std::vector<chosen>& so_far, std::vector<unread_point>& out) {
  if (axis == text.grid.size()) {
    std::vector<std::string> words;
    for (const auto& one : so_far)
      words.push_back(word_of(one));
    out.push_back({join(words, "_"), text.grid.front().where, so_far});
    return;
  }
  for (const auto& value : text.grid[axis].values) {
    so_far.push_back({&text.grid[axis], value});
    add_grid(text, axis + 1, so_far, out);
    so_far.pop_back();
  }
}

std::vector<unread_point> points_of(const sweep_text& text) {
  std::vector<unread_point> out;
  std::vector<chosen> so_far;
  if (!text.grid.empty()) add_grid(text, 0, so_far, out);
  for (const auto& point : text.points) {
    out.push_back({point.name, point.where, {}});
    for (const auto& one : point.settings)
      out.back().settings.push_back({&one, one.values.front()});
  }
  return out;
}

result<void> check_names(const std::vector<unread_point>& points,
                         const std::vector<std::uint64_t>& seeds) {
  std::map<std::string, std::string> seen;
  const auto longest = *std::ranges::max_element(seeds);
  for (const auto& point : points) {
    const auto refuse = [&](const std::string& what) {
      return error{
          ec::invalid_config,
          fmt::format("{}: point {}: {}", point.where, point.name, what)};
    };
    if (!std::ranges::all_of(point.name, may_be_in_id)
        || point.name.front() == '.' || point.name.front() == '-')
      return refuse("a name has letters, digits, '.', '_' and '-', and does "
                    "not start with '.' or '-'");
    if (sweep_run_id(point.name, longest).size() > id_bytes_max)
      return refuse(fmt::format("with its seed the name is longer than {} "
                                "characters: name it under [[points]]",
                                id_bytes_max));
    if (!seen.emplace(point.name, point.where).second)
      return refuse("is there twice, in " + seen.at(point.name) + " too");
  }
  return {};
}

/// What all points share, because one process plays them on one set of workers.
bool is_of_process(const option& item) {
  return item.section == "run" || item.section == "cluster";
}

result<void> check_points(const sweep_text& text,
                          const std::vector<unread_point>& points) {
  for (const auto& point : points)
    for (const auto& one : point.settings) {
      const auto& item = *one.from->item;
      const auto refuse = [&](const std::string& what) {
        return error{
            ec::invalid_config,
            fmt::format("{}: {}: {}", one.from->where, item.key(), what)};
      };
      if (is_of_process(item))
        return refuse("all points run in one process: give it under [set]");
      if (text.same_data && item.section.starts_with("environment"))
        return refuse("points would differ in their data: give it under [set], "
                      "or say same_data = false");
    }
  return {};
}

/// The options that say what a reward is made of, and of how many documents and
/// tasks it is the mean: retrievability falls with every document more.
constexpr const char* makes_reward[] = {
    "search.lambda_correctness", "search.lambda_retrieval",
    "search.max_concepts",       "search.cluster_threshold",
    "eval.min_per_concept",      "eval.max_per_concept"};

/// What only the points' whole options say.
result<void> check_halving(const halving_plan& halving,
                           const std::vector<planned_point>& points) {
  const auto refuse = [&](const std::string& key, const std::string& what) {
    return error{ec::invalid_config,
                 fmt::format("{}: {}: {}", halving.where, key, what)};
  };
  if (points.size() < 2)
    return refuse("halving", "there is one point, and none to rank it "
                             "against: give more, or leave out [halving]");
  for (const auto& point : points) {
    const auto& search = point.options.search;
    if (search.strategies.empty())
      return refuse("halving",
                    fmt::format("point {} has search.strategies = [], so it "
                                "has no iterations to be ranked by: give it "
                                "one, or leave out [halving]",
                                point.name));
    if (search.learner != "brew")
      return refuse("halving",
                    fmt::format("point {} has search.learner = \"{}\", which "
                                "has no barriers to be ranked at: leave out "
                                "the point or [halving]",
                                point.name, search.learner));
    if (halving.after.back() >= search.iterations)
      return refuse("after",
                    fmt::format("{} is not below search.iterations = {} of "
                                "point {}",
                                halving.after.back(), search.iterations,
                                point.name));
    for (const auto* key : makes_reward) {
      const auto* item = find_option(key);
      if (item->get(point.options) != item->get(points.front().options))
        return refuse("halving",
                      fmt::format("points {} and {} differ in {}, so the "
                                  "rewards they would be ranked by are not the "
                                  "same thing: give it under [set], or leave "
                                  "out [halving]",
                                  points.front().name, point.name, key));
    }
  }
  return {};
}

class planner {
public:
  planner(const sweep_request& request, const sweep_text& text,
          std::string base)
      : request_(request), text_(text), base_(std::move(base)) {}

  result<planned_point> plan(const unread_point& point) const {
    planned_point out{point.name, {}, {}};
    load_request asked{.file = base_file(),
                       .overrides = {},
                       .environment = request_.environment,
                       .working_directory = folder()};
    for (const auto& one : text_.set)
      if (!is_set_by(point, one))
        asked.overrides.push_back(assignment(*one.item, one.values.front()));
    for (const auto& one : point.settings) {
      asked.overrides.push_back(assignment(*one.from->item, one.value));
      out.settings.emplace_back(one.from->item->key(), write_toml(one.value));
    }
    auto loaded = parse_config(base_, asked);
    auto problems = loaded.problems;
    if (problems.empty()) problems = missing_inputs(loaded);
    if (!problems.empty())
      return error{problems.front().code,
                   placed(point, problems.front().message)};
    out.options = std::move(loaded.value);
    hold_out_alike(out.options);
    return out;
  }

  [[nodiscard]] std::filesystem::path folder() const {
    return (request_.working_directory / request_.file).parent_path();
  }
  [[nodiscard]] std::filesystem::path base_file() const {
    return folder() / text_.base;
  }

private:
  static bool is_set_by(const unread_point& point, const sweep_setting& one) {
    return std::ranges::any_of(point.settings, [&](const chosen& other) {
      return other.from->item == one.item;
    });
  }

  /// What the file sets goes in as --set does, which nobody gave: the line of
  /// the file stands there instead.
  [[nodiscard]] std::string placed(const unread_point& point,
                                   const std::string& message) const {
    constexpr std::string_view as_given = "--set: ";
    if (!message.starts_with(as_given))
      return fmt::format("{}: point {}: {}", point.where, point.name, message);
    const auto rest = message.substr(as_given.size());
    const auto is_of = [&](const sweep_setting& one) {
      const auto key = one.item->key();
      return rest.starts_with(key + ' ') || rest.starts_with(key + ':');
    };
    auto where = point.where;
    for (const auto& one : text_.set)
      if (is_of(one)) where = one.where;
    for (const auto& one : point.settings)
      if (is_of(*one.from)) where = one.from->where;
    return fmt::format("{}: point {}: {}", where, point.name, rest);
  }

  static std::string assignment(const option& item, const option_value& value) {
    return item.key() + '=' + write_toml(value);
  }

  /// Tasks that are held out by each seed anew would add the noise of the split
  /// to that of the seed.
  void hold_out_alike(config& options) const {
    auto& where = options.environment;
    if (text_.split_by_seed || !where.eval_split.empty()
        || !where.draw_from.empty() || where.hold_out_seed != 0)
      return;
    where.hold_out_seed = std::max<std::uint64_t>(1, options.run.seed);
  }

  const sweep_request& request_;
  const sweep_text& text_;
  std::string base_;
};

} // namespace

result<sweep_plan> load_sweep(const sweep_request& request) {
  const auto file = request.file.string();
  const auto bytes = read_file(request.working_directory / request.file);
  if (!bytes)
    return error{bytes.error().code,
                 "sweep file " + file + ": " + bytes.error().message
                     + installed_instead(request.file, request.installed)};
  const auto text = read_sweep_text(*bytes, file);
  if (!text) return text.error();
  if (const auto size = size_of_grid(*text, file); !size) return size.error();
  const auto points = points_of(*text);
  if (auto ok = check_names(points, text->seeds); !ok) return ok.error();
  if (auto ok = check_points(*text, points); !ok) return ok.error();
  const auto folder = (request.working_directory / request.file).parent_path();
  auto base = read_file(folder / text->base);
  if (!base)
    return error{
        base.error().code,
        fmt::format("{}: base: {}", text->base_where, base.error().message)};
  const planner plans{request, *text, std::move(*base)};
  sweep_plan out{{}, text->seeds, text->at_once, text->budget, text->halving};
  for (const auto& point : points) {
    auto planned = plans.plan(point);
    if (!planned) return planned.error();
    out.points.push_back(std::move(*planned));
  }
  if (out.halving)
    if (auto ok = check_halving(*out.halving, out.points); !ok)
      return ok.error();
  return out;
}

std::string sweep_run_id(const std::string& point, std::uint64_t seed) {
  return fmt::format("{}-s{}", point, seed);
}

config options_of_run(const planned_point& point, std::uint64_t seed,
                      const std::filesystem::path& directory) {
  auto out = point.options;
  out.run.seed = seed;
  out.run.runs_dir = directory;
  return out;
}

} // namespace brewery
