#pragma once
/// Strong ids: ids with the same representation have different types, so a task
/// id cannot be passed as a job id. Plain aggregates, ordered and hashable.

#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace brewery {

template <class Tag, class Rep>
struct strong_id {
  Rep value{};
  auto operator<=>(const strong_id&) const = default;
};

/// A benchmark item, by its name in the data file.
using task_id = strong_id<struct task_tag, std::string>;
/// A concept (and its tree): dense from 0 in order of formation.
using concept_id = strong_id<struct concept_tag, std::uint32_t>;
/// A node of one tree: dense from 0 (the root) in order of creation.
using node_id = strong_id<struct node_tag, std::uint32_t>;
/// Content hash of a document body: 32 lower-case hex digits.
using doc_hash = strong_id<struct doc_tag, std::string>;
/// Content hash of everything a job's result may depend on: equal ids mean
/// equal work, so a result may be shared. 32 lower-case hex digits.
using job_id = strong_id<struct job_tag, std::string>;
/// The id of a run, as people name it. It also separates the jobs of a
/// coordinator's runs. A run makes one search per strategy. Many fields and
/// parameters of this type are called `search`, because the wire calls them so.
using run_id = strong_id<struct search_tag, std::string>;
/// Content hash of an insight: equal insights from different rollouts share it.
using insight_id = strong_id<struct insight_tag, std::string>;

template <class T>
inline constexpr bool is_strong_id = false;
template <class Tag, class Rep>
inline constexpr bool is_strong_id<strong_id<Tag, Rep>> = true;

} // namespace brewery

template <class Tag, class Rep>
struct std::hash<brewery::strong_id<Tag, Rep>> {
  std::size_t operator()(const brewery::strong_id<Tag, Rep>& id) const {
    return std::hash<Rep>{}(id.value);
  }
};
