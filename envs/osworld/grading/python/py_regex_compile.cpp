/// From the tree of a regular expression to the steps of its program.
#include "base/utf8.hpp"
#include "envs/osworld/grading/python/py_regex_tree.hpp"

#include <optional>

namespace brewery::osworld {

namespace {

constexpr std::size_t program_steps_most = 50'000;

class regex_writer {
public:
  result<std::shared_ptr<const py_regex::program>>
  write(pattern_tree tree, std::size_t pattern_size) {
    out_.classes = std::move(tree.classes);
    out_.groups = tree.groups;
    out_.registers = 2 * (tree.groups + 1);
    emit(tree.root);
    add({.kind = step_kind::match});
    if (!problem_.empty()) return regex_refused(problem_, pattern_size);
    return std::shared_ptr<const py_regex::program>{
        std::make_shared<py_regex::program>(std::move(out_))};
  }

private:
  void fail(const char* what) {
    if (problem_.empty()) problem_ = what;
  }

  std::size_t add(regex_step step) {
    if (out_.steps.size() >= program_steps_most) {
      fail("it is too long");
      return 0;
    }
    out_.steps.push_back(step);
    return out_.steps.size() - 1;
  }
  [[nodiscard]] std::size_t here() const { return out_.steps.size(); }

  void emit(const pattern_node& node) {
    if (!problem_.empty()) return;
    switch (node.is) {
    case node_form::leaf:
      add(node.step);
      return;
    case node_form::sequence:
      for (const auto& part : node.parts)
        emit(part);
      return;
    case node_form::choice:
      emit_choice(node);
      return;
    case node_form::repeat:
      emit_repeat(node);
      return;
    case node_form::group:
      if (node.number > 0) add({.kind = step_kind::save, .a = 2 * node.number});
      emit(node.parts[0]);
      if (node.number > 0)
        add({.kind = step_kind::save, .a = 2 * node.number + 1});
      return;
    case node_form::look:
      emit_look(node);
      return;
    }
  }

  void emit_choice(const pattern_node& node) {
    std::vector<std::size_t> jumps;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const bool last = i + 1 == node.parts.size();
      const auto split = last ? 0 : add({.kind = step_kind::split});
      if (!last) out_.steps[split].a = here();
      emit(node.parts[i]);
      if (last) break;
      jumps.push_back(add({.kind = step_kind::jump}));
      out_.steps[split].b = here();
    }
    for (const auto jump : jumps)
      out_.steps[jump].a = here();
  }

  /// A split into the body, or past it; `past` is filled in later.
  std::size_t emit_split(bool lazy) {
    const auto at = add({.kind = step_kind::split});
    (lazy ? out_.steps[at].b : out_.steps[at].a) = here();
    return at;
  }
  void leads_to(std::size_t split, bool lazy, std::size_t past) {
    (lazy ? out_.steps[split].a : out_.steps[split].b) = past;
  }

  void emit_repeat(const pattern_node& node) {
    const auto& body = node.parts[0];
    for (std::size_t i = 0; i < node.least && problem_.empty(); ++i)
      emit(body);
    if (node.most == no_end) {
      const auto mark = out_.registers++;
      const auto split = emit_split(node.lazy);
      add({.kind = step_kind::save_start, .a = mark});
      emit(body);
      add({.kind = step_kind::progress, .a = mark});
      add({.kind = step_kind::jump, .a = split});
      leads_to(split, node.lazy, here());
      return;
    }
    std::vector<std::size_t> splits;
    for (auto i = node.least; i < node.most && problem_.empty(); ++i) {
      splits.push_back(emit_split(node.lazy));
      emit(body);
    }
    for (const auto split : splits)
      leads_to(split, node.lazy, here());
  }

  void emit_look(const pattern_node& node) {
    regex_step step{.kind = step_kind::look, .negated = node.negated};
    if (!node.ahead) {
      const auto width = width_of(node.parts[0]);
      if (!width) return fail("look-behind requires fixed-width pattern");
      step.behind = *width;
    }
    const auto at = add(step);
    out_.steps[at].a = here();
    emit(node.parts[0]);
    add({.kind = step_kind::match});
    out_.steps[at].b = here();
  }

  std::string problem_;
  py_regex::program out_;
};

} // namespace

std::optional<std::size_t> width_of(const pattern_node& node) {
  const auto sum = [&]() -> std::optional<std::size_t> {
    std::size_t out = 0;
    for (const auto& part : node.parts) {
      const auto width = width_of(part);
      if (!width) return {};
      out += *width;
    }
    return out;
  };
  switch (node.is) {
  case node_form::leaf:
    switch (node.step.kind) {
    case step_kind::character:
    case step_kind::any:
    case step_kind::one_of:
      return 1;
    case step_kind::back_reference:
      return {};
    default:
      return 0;
    }
  case node_form::look:
    return 0;
  case node_form::repeat: {
    const auto width = width_of(node.parts[0]);
    if (!width || node.least != node.most) return {};
    return *width * node.least;
  }
  case node_form::choice: {
    const auto first = width_of(node.parts[0]);
    for (const auto& part : node.parts)
      if (width_of(part) != first) return {};
    return first;
  }
  default:
    return sum();
  }
}

result<std::shared_ptr<const py_regex::program>>
compile_regex(std::string_view pattern, regex_flags flags) {
  auto tree = parse_regex(pattern, flags);
  if (!tree) return tree.error();
  return regex_writer{}.write(std::move(*tree), count_characters(pattern));
}

} // namespace brewery::osworld
