#include "sweep/sweep_text.hpp"

#include "base/text.hpp"
#include "config/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace brewery {

namespace {

/// search.iterations is at most that.
constexpr std::int64_t iterations_max = 10'000;

error refused(const std::string& where, const std::string& key,
              const std::string& what) {
  return {ec::invalid_config, fmt::format("{}: {}: {}", where, key, what)};
}

error not_this(const toml_leaf& leaf, const std::string& where,
               const std::string& expected) {
  return refused(where, leaf.path.back(),
                 fmt::format("{} is not {}", leaf.value.text, expected));
}

template <class T>
const T* as(const toml_value& value) {
  return value.shape ? std::get_if<T>(&*value.shape) : nullptr;
}

class text_reader {
public:
  explicit text_reader(std::string file) : file_(std::move(file)) {}

  result<sweep_text> read(const std::vector<toml_leaf>& leaves) {
    for (const auto& leaf : leaves)
      if (auto ok = take(leaf); !ok) return ok.error();
    if (out_.base.empty())
      return refused(file_, "base",
                     "missing: name the configuration of a run, e.g. base = "
                     "\"tau2-telecom.toml\"");
    if (out_.seeds.empty())
      return refused(file_, "seeds", "missing: e.g. seeds = [1, 2, 3]");
    for (const auto& point : out_.points)
      if (point.name.empty())
        return refused(point.where, "name", "a point has none");
    if (out_.halving && out_.halving->after.empty())
      return refused(out_.halving->where, "after",
                     "missing: e.g. after = [2, 4], iterations at whose end "
                     "points are cut");
    return std::move(out_);
  }

private:
  [[nodiscard]] std::string where(const toml_leaf& leaf) const {
    return fmt::format("{}:{}", file_, leaf.line);
  }

  result<void> take(const toml_leaf& leaf) {
    const auto& table = leaf.path.front();
    if (leaf.path.size() == 1) return take_top(leaf);
    if (table == "set") return take_option(leaf, out_.set, false);
    if (table == "grid") return take_option(leaf, out_.grid, true);
    if (table == "budget") return take_budget(leaf);
    if (table == "halving") return take_halving(leaf);
    if (table == "points") return take_point(leaf);
    return unknown(leaf, table, {"set", "grid", "points", "budget", "halving"});
  }

  result<void> unknown(const toml_leaf& leaf, const std::string& key,
                       const std::vector<std::string>& known) {
    return refused(where(leaf), key,
                   "unknown key" + suggest_choice(key, known));
  }

  result<void> take_top(const toml_leaf& leaf) {
    const auto& key = leaf.path.front();
    if (leaf.value.type == "a section") return take_empty(leaf);
    if (key == "base") {
      const auto* path = as<std::string>(leaf.value);
      if (!path || path->empty())
        return not_this(leaf, where(leaf), "the path of a configuration");
      out_.base = *path;
      out_.base_where = where(leaf);
      return {};
    }
    if (key == "seeds") return take_seeds(leaf);
    if (key == "at_once") {
      const auto* count = as<std::int64_t>(leaf.value);
      if (!count || *count < 1 || *count > 1'000)
        return not_this(leaf, where(leaf), "an integer from 1 to 1000");
      out_.at_once = static_cast<std::uint32_t>(*count);
      return {};
    }
    if (key == "same_data") return take_flag(leaf, out_.same_data);
    if (key == "split_by_seed") return take_flag(leaf, out_.split_by_seed);
    return unknown(leaf, key,
                   {"base", "seeds", "at_once", "same_data", "split_by_seed",
                    "set", "grid", "points", "budget", "halving"});
  }

  /// A section without keys says nothing, but for the one that needs some.
  result<void> take_empty(const toml_leaf& leaf) {
    const auto& table = leaf.path.front();
    const std::vector<std::string> known{"set", "grid", "points", "budget",
                                         "halving"};
    if (std::ranges::find(known, table) == known.end())
      return unknown(leaf, table, known);
    if (table == "halving") halving_at(leaf);
    return {};
  }

  void halving_at(const toml_leaf& leaf) {
    if (out_.halving) return;
    out_.halving.emplace();
    out_.halving->where = where(leaf);
  }

  result<void> take_flag(const toml_leaf& leaf, bool& flag) {
    const auto* value = as<bool>(leaf.value);
    if (!value) return not_this(leaf, where(leaf), "true or false");
    flag = *value;
    return {};
  }

  result<void> take_seeds(const toml_leaf& leaf) {
    if (!leaf.is_list || leaf.elements.empty())
      return refused(where(leaf), "seeds",
                     "expected a list of integers, e.g. [1, 2, 3]");
    for (const auto& one : leaf.elements) {
      const auto* seed = as<std::int64_t>(one);
      if (!seed || *seed < 0)
        return refused(where(leaf), "seeds",
                       one.text + " is not an integer of at least 0");
      const auto value = static_cast<std::uint64_t>(*seed);
      if (std::ranges::find(out_.seeds, value) != out_.seeds.end())
        return refused(where(leaf), "seeds",
                       fmt::format("{} is there twice", value));
      out_.seeds.push_back(value);
    }
    return {};
  }

  result<void> take_budget(const toml_leaf& leaf) {
    const auto& key = leaf.path[1];
    auto* limit = key == "max_cost_usd" ? &out_.budget.max_cost_usd
                  : key == "max_hours"  ? &out_.budget.max_hours
                                        : nullptr;
    if (!limit) return unknown(leaf, key, {"max_cost_usd", "max_hours"});
    const auto* whole = as<std::int64_t>(leaf.value);
    const auto* number = as<double>(leaf.value);
    const double value = whole    ? static_cast<double>(*whole)
                         : number ? *number
                                  : -1;
    if (!(value >= 0 && value <= 1e9))
      return not_this(leaf, where(leaf), "a number from 0 to 1e9");
    *limit = value;
    return {};
  }

  result<void> take_halving(const toml_leaf& leaf) {
    const auto& key = leaf.path[1];
    halving_at(leaf);
    if (key == "after") return take_rungs(leaf);
    if (key != "keep") return unknown(leaf, key, {"after", "keep"});
    const auto* keep = as<double>(leaf.value);
    if (!keep || !(*keep > 0 && *keep < 1))
      return not_this(leaf, where(leaf), "a number above 0 and below 1");
    out_.halving->keep = *keep;
    return {};
  }

  result<void> take_rungs(const toml_leaf& leaf) {
    auto& after = out_.halving->after;
    out_.halving->where = where(leaf);
    if (!leaf.is_list || leaf.elements.empty())
      return refused(where(leaf), "after",
                     "expected a list of iterations, e.g. [2, 4]");
    for (const auto& one : leaf.elements) {
      const auto* iteration = as<std::int64_t>(one);
      if (!iteration || *iteration < 1 || *iteration > iterations_max)
        return refused(where(leaf), "after",
                       fmt::format("{} is not an integer from 1 to {}",
                                   one.text, iterations_max));
      const auto value = static_cast<std::uint32_t>(*iteration);
      if (!after.empty() && value <= after.back())
        return refused(where(leaf), "after",
                       fmt::format("{} is not above {}, the one before it",
                                   value, after.back()));
      after.push_back(value);
    }
    return {};
  }

  result<void> take_point(const toml_leaf& leaf) {
    if (leaf.path.size() < 3)
      return refused(where(leaf), leaf.path.back(),
                     "points are written as [[points]]");
    if (leaf.path[1] != point_number_) {
      point_number_ = leaf.path[1];
      out_.points.push_back({"", where(leaf), {}});
    }
    auto& point = out_.points.back();
    if (leaf.path[2] != "name") return take_option(leaf, point.settings, false);
    const auto* name = as<std::string>(leaf.value);
    if (!name || name->empty()) return not_this(leaf, where(leaf), "a name");
    point.name = *name;
    point.where = where(leaf);
    return {};
  }

  result<void> take_option(const toml_leaf& leaf,
                           std::vector<sweep_setting>& to, bool grid) {
    const auto& key = leaf.path.back();
    const auto* item = find_option(key);
    const auto dot = key.rfind('.');
    if (!item)
      return refused(
          where(leaf), key,
          "unknown option"
              + (dot == std::string::npos
                     ? suggest_section(key)
                     : suggest_key(key.substr(0, dot), key.substr(dot + 1))));
    if (item->section == "run"
        && (item->name == "seed" || item->name == "name"
            || item->name == "runs_dir"))
      return refused(where(leaf), key,
                     "the sweep chooses it; seeds stand under seeds");
    for (const auto& other : to)
      if (other.item == item)
        return refused(where(leaf), key, "is there twice");
    sweep_setting out{item, {}, where(leaf)};
    if (!grid) {
      if (auto ok = take_value(leaf, leaf.value, out); !ok) return ok;
    } else {
      if (!leaf.is_list || leaf.elements.empty())
        return refused(
            where(leaf), key,
            "a grid has a list of values for each option, not empty");
      for (const auto& one : leaf.elements)
        if (auto ok = take_value(leaf, one, out); !ok) return ok;
    }
    to.push_back(std::move(out));
    return {};
  }

  result<void> take_value(const toml_leaf& leaf, const toml_value& value,
                          sweep_setting& out) {
    if (!value.shape || !accepts(*out.item, *value.shape))
      return refused(
          where(leaf), out.item->key(),
          fmt::format("{} is not {}", value.text, expectation(*out.item)));
    if (std::ranges::find(out.values, *value.shape) != out.values.end())
      return refused(where(leaf), out.item->key(),
                     value.text + " is there twice");
    out.values.push_back(*value.shape);
    return {};
  }

  std::string file_;
  std::string point_number_;
  sweep_text out_;
};

} // namespace

result<sweep_text> read_sweep_text(std::string_view text,
                                   const std::string& file) {
  const auto leaves = read_toml_leaves(text, file);
  if (!leaves) return leaves.error();
  return text_reader{file}.read(*leaves);
}

} // namespace brewery
