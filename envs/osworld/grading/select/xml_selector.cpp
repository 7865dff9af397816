#include "envs/osworld/grading/select/xml_selector.hpp"

#include <algorithm>

namespace brewery::osworld {

namespace {

bool compares(const xml_condition& where, const std::string* found) {
  using kind = xml_condition::kind;
  const std::string_view text = found ? std::string_view{*found} : "";
  switch (where.is) {
  case kind::exists:
    return found != nullptr;
  case kind::equal:
    return found && text == where.value;
  case kind::differs:
    return found && text != where.value;
  case kind::contains:
    return text.find(where.value) != std::string_view::npos;
  case kind::starts_with:
    return text.starts_with(where.value);
  case kind::ends_with:
    return text.ends_with(where.value);
  default:
    return false;
  }
}

bool holds(const xml_condition& where, const xml_node& node) {
  using kind = xml_condition::kind;
  const auto part_holds = [&](const xml_condition& part) {
    return holds(part, node);
  };
  const auto& parts = where.parts;
  switch (where.is) {
  case kind::all:
    return std::all_of(parts.begin(), parts.end(), part_holds);
  case kind::any:
    return std::any_of(parts.begin(), parts.end(), part_holds);
  case kind::none:
    return std::none_of(parts.begin(), parts.end(), part_holds);
  default:
    break;
  }
  if (where.of_text) return compares(where, &node.text);
  return compares(where, node.find(where.space, where.name));
}

using marks = std::vector<bool>;

/// What a walk in document order knows of the elements around it.
class walk {
public:
  /// `from` null: the document, whose child is the root.
  walk(const std::vector<xml_node>& nodes, const marks* from)
      : nodes_(nodes), from_(from) {}

  /// Whether the next element is on the axis from a marked one.
  bool reaches(std::size_t index, xml_step::axis along) {
    const auto depth = nodes_[index].depth;
    open_.resize(depth); // elements that have ended are closed
    levels_.resize(depth + 1);
    auto& level = levels_[depth];
    const bool marked = from_ && (*from_)[index];
    const bool out =
        !from_ ? from_document(depth, along) : from_marked(depth, along, level);
    level.any = level.any || marked;
    level.last = marked;
    open_.push_back(
        {marked,
         depth > 0 && (open_[depth - 1].marked || open_[depth - 1].inside)});
    return out;
  }

private:
  struct siblings {
    bool any = false;  ///< one of the earlier ones is marked
    bool last = false; ///< the one before is
  };
  struct ancestor {
    bool marked = false;
    bool inside = false; ///< an ancestor of it is marked
  };

  static bool from_document(std::size_t depth, xml_step::axis along) {
    return along == xml_step::axis::descendant
           || (along == xml_step::axis::child && depth == 0);
  }
  [[nodiscard]] bool from_marked(std::size_t depth, xml_step::axis along,
                                 const siblings& level) const {
    switch (along) {
    case xml_step::axis::descendant:
      return depth > 0 && (open_[depth - 1].marked || open_[depth - 1].inside);
    case xml_step::axis::child:
      return depth > 0 && open_[depth - 1].marked;
    case xml_step::axis::later_sibling:
      return level.any;
    case xml_step::axis::next:
      return level.last;
    }
    return false;
  }

  const std::vector<xml_node>& nodes_;
  const marks* from_;
  std::vector<ancestor> open_;     ///< by depth
  std::vector<siblings> levels_{}; ///< of the open elements, by depth
};

marks follow(const std::vector<xml_node>& nodes, const marks* from,
             const xml_step& step) {
  marks out(nodes.size());
  walk around{nodes, from};
  for (std::size_t i = 0; i < nodes.size(); ++i)
    out[i] = around.reaches(i, step.along)
             && (step.tag.empty() || nodes[i].tag == step.tag)
             && holds(step.where, nodes[i]);
  return out;
}

} // namespace

std::vector<std::size_t>
xml_selector::select(const std::vector<xml_node>& nodes) const {
  marks selected(nodes.size());
  for (const auto& steps : paths_) {
    marks at;
    for (std::size_t i = 0; i < steps.size(); ++i)
      at = follow(nodes, i == 0 ? nullptr : &at, steps[i]);
    for (std::size_t i = 0; i < at.size(); ++i)
      selected[i] = selected[i] || at[i];
  }
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < selected.size(); ++i)
    if (selected[i]) out.push_back(i);
  return out;
}

} // namespace brewery::osworld
