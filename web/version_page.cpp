#include "web/version_page.hpp"

#include "base/text.hpp"
#include "web/find_tree.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace brewery::web {

struct version_pages::spent {
  std::size_t score = 0, learn = 0, confirm = 0, reused = 0;
  std::uint64_t played_us = 0; ///< whole, so that any order gives one sum
  model_use models;
  std::set<job_id> jobs; ///< that `models` has: one may be asked for twice

  void add(const model_calls& calls, const job_id& job) {
    if (jobs.insert(job).second) models.add(calls.of(job));
  }

  void add(const asked_for& rollouts) {
    score += rollouts.score.size();
    learn += rollouts.learn.size();
    confirm += rollouts.confirm.size();
    for (const auto* list :
         {&rollouts.score, &rollouts.learn, &rollouts.confirm})
      for (const auto* one : *list) {
        if (!one->reused_from.empty())
          ++reused;
        else
          played_us += one->duration_us;
      }
  }

  /// What a version below took; leaves its sums, and not its jobs. The smaller
  /// one's jobs are moved, so that a long chain does not take the square of its
  /// length.
  void take(spent& other, const model_calls& calls) {
    score += other.score;
    learn += other.learn;
    confirm += other.confirm;
    reused += other.reused;
    played_us += other.played_us;
    if (jobs.size() < other.jobs.size()) {
      std::swap(jobs, other.jobs);
      models = other.models;
    }
    for (const auto& job : std::exchange(other.jobs, {}))
      add(calls, job);
  }

  [[nodiscard]] json as_json() const {
    return {{"score", score},
            {"learn", learn},
            {"confirm", confirm},
            {"reused", reused},
            {"seconds", static_cast<double>(played_us) * 1e-6},
            {"models", models.as_json()}};
  }
};

namespace {

/// Of a task, as an example: more are counted, not named.
constexpr std::size_t jobs_max = 20;

/// A task under one version.
struct played_task {
  double sum = 0;
  std::size_t graded = 0;
  std::vector<const listed_rollout*> rollouts;

  [[nodiscard]] json as_json() const {
    json out{{"rollouts", rollouts.size()}, {"graded", graded}};
    if (graded > 0) out["reward"] = sum / static_cast<double>(graded);
    out["jobs"] = json::array();
    for (std::size_t i = 0; i < std::min(jobs_max, rollouts.size()); ++i)
      out["jobs"].push_back(rollouts[i]->id.value);
    return out;
  }
};

struct task_pair {
  std::string task;
  played_task here, parent;

  [[nodiscard]] std::optional<double> change() const {
    if (here.graded == 0 || parent.graded == 0) return std::nullopt;
    return here.sum / static_cast<double>(here.graded)
           - parent.sum / static_cast<double>(parent.graded);
  }
};

/// The search whose first rollouts, and scores of the roots, `strategy` began
/// with: one that plays its own names itself (see `begins_alike` of the
/// coordinator). A log without purposes names none.
std::string began_with(const log_index& index, const std::string& strategy) {
  std::string other;
  bool own = false;
  for (const auto& one : index.purposes()) {
    if (one.what != purpose::first) continue;
    own |= one.name == strategy;
    if (other.empty()) other = one.name;
  }
  return own ? strategy : other;
}

std::map<doc_hash, asked_for> rollouts_by_document(const log_index& index,
                                                   const document_place& tree) {
  std::map<doc_hash, asked_for> out;
  const auto before = began_with(index, tree.strategy);
  index.each_purpose([&](const job_id& job, const job_purpose& one) {
    const bool at_first = one.name == before && one.iteration == 0;
    if ((one.name != tree.strategy && !at_first)
        || one.concept_ref != tree.concept_ref)
      return;
    const auto* rollout = index.find(job);
    if (!rollout) return; // asked for, and not there yet
    auto* list = out[one.candidate].of(one.what);
    // The same one may have been asked for in several iterations: then these
    // come one after the other.
    if (list && (list->empty() || list->back() != rollout))
      list->push_back(rollout);
  });
  return out;
}

std::vector<task_pair> by_task(const asked_for& here, const asked_for& parent) {
  std::map<std::string, task_pair> tasks;
  const auto add = [&](const asked_for& from, played_task task_pair::*side) {
    for (const auto* one : from.score) {
      auto& pair = tasks[one->task.value];
      pair.task = one->task.value;
      auto& to = pair.*side;
      to.rollouts.push_back(one);
      if (one->outcome != rollout_outcome::graded) continue;
      to.sum += one->reward;
      ++to.graded;
    }
  };
  add(here, &task_pair::here);
  add(parent, &task_pair::parent);
  std::vector<task_pair> out;
  out.reserve(tasks.size());
  for (auto& [name, pair] : tasks)
    out.push_back(std::move(pair));
  const auto rank = [](const task_pair& one) {
    const auto change = one.change();
    return change ? std::abs(*change) : -1.0;
  };
  std::ranges::stable_sort(
      out, [&](const auto& a, const auto& b) { return rank(a) > rank(b); });
  return out;
}

} // namespace

std::vector<const listed_rollout*>* asked_for::of(std::string_view what) {
  return what == purpose::score     ? &score
         : what == purpose::learn   ? &learn
         : what == purpose::confirm ? &confirm
                                    : nullptr;
}

version_pages::version_pages(const open_run& run, const search_tree& tree)
    : index_(run.index), calls_(run.calls), tree_(&tree),
      by_document_(
          rollouts_by_document(*index_, {tree.strategy, tree.about.id})) {}

result<version_pages> version_pages::of(const open_run& run,
                                        const std::vector<search_tree>& trees,
                                        const std::string& strategy,
                                        const std::string& concept_text) {
  std::optional<concept_id> about;
  if (const auto number = whole_number<std::uint32_t>(concept_text))
    about = concept_id{*number};
  const auto tree = find_tree(trees, strategy, about);
  if (!tree) return tree.error();
  return version_pages{run, **tree};
}

asked_for version_pages::rollouts_of(const node_record& node) const {
  const auto found = by_document_.find(node.hash);
  return found == by_document_.end() ? asked_for{} : found->second;
}

void version_pages::add(const node_record& node, spent& to) const {
  const auto rollouts = rollouts_of(node);
  to.add(rollouts);
  for (const auto* list : {&rollouts.score, &rollouts.learn, &rollouts.confirm})
    for (const auto* one : *list)
      to.add(*calls_, one->id);
  for (const auto& job : index_->writers_of(node.hash))
    to.add(*calls_, job);
}

json version_pages::spent_on(const node_record& node) const {
  spent out;
  add(node, out);
  return out.as_json();
}

void version_pages::sum_all() {
  auto sums = std::make_shared<std::vector<spent>>(tree_->nodes.size());
  for (auto i = sums->size(); i-- > 0;) {
    const auto& node = tree_->nodes[i];
    add(node, (*sums)[i]); // all below it are in
    const auto parent = index_of(node.parent.value);
    if (parent && *parent != i) (*sums)[*parent].take((*sums)[i], *calls_);
  }
  below_ = std::move(sums);
}

/// Versions are in the order of their ids.
std::optional<std::size_t>
version_pages::index_of(std::optional<std::uint32_t> id) const {
  if (!id) return std::nullopt;
  const auto found = std::ranges::lower_bound(
      tree_->nodes, *id, {}, [](const auto& one) { return one.id.value; });
  if (found == tree_->nodes.end() || found->id.value != *id)
    return std::nullopt;
  return static_cast<std::size_t>(found - tree_->nodes.begin());
}

json version_pages::spent_below(const node_record& node) const {
  if (below_) return (*below_)[*index_of(node.id.value)].as_json();
  // A version is made before its children, so one pass is enough.
  std::set<node_id> inside{node.id};
  spent out;
  for (const auto& one : tree_->nodes) {
    if (one.id != node.id && !inside.contains(one.parent)) continue;
    inside.insert(one.id);
    add(one, out);
  }
  return out.as_json();
}

result<json> version_pages::page_of(const std::string& version,
                                    const page& asked) const {
  const auto place = index_of(whole_number<std::uint32_t>(version));
  if (!place) return error{ec::not_found, "the tree has no such version"};
  const auto* node = &tree_->nodes[*place];
  const auto above = index_of(node->parent.value);
  const bool has_parent = above && *above != *place;
  const auto* parent = has_parent ? &tree_->nodes[*above] : nullptr;
  const auto tasks = by_task(rollouts_of(*node),
                             has_parent ? rollouts_of(*parent) : asked_for{});
  json out{{"version", node->id.value},
           {"recorded", index_->says_purposes()},
           {"asks_models", calls_->any()},
           {"own", spent_on(*node)},
           {"below", spent_below(*node)}};
  if (has_parent) out["parent"] = parent->id.value;
  add_page(out, asked, tasks.size(), [&](std::size_t i) {
    const auto& one = tasks[i];
    json item{{"task", one.task}, {"here", one.here.as_json()}};
    if (has_parent) item["parent"] = one.parent.as_json();
    if (const auto change = one.change()) item["change"] = *change;
    return item;
  });
  return out;
}

} // namespace brewery::web
