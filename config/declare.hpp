#pragma once
/// How the schema files declare options; private to config/schema*.cpp.
///
///   section_of<run_options> run{&config::run, "run", "This run."};
///   run.add(&run_options::seed, "seed", "Seed of every draw.", {.min = 0});
///   out.push_back(run.take());

#include "config/option.hpp"

#include <optional>
#include <type_traits>
#include <utility>

namespace brewery {

/// Of counts of tasks, at most.
inline constexpr double tasks_max = 1e6;
/// Of timeouts, at most: a day.
inline constexpr double timeout_max_ms = 86'400'000;

struct option_facts {
  std::string unit{};
  std::optional<double> min{};
  std::optional<double> max{};
  std::vector<std::string> choices{};
};

template <class T>
constexpr option_kind kind_of() {
  if constexpr (std::is_same_v<T, bool>)
    return option_kind::boolean;
  else if constexpr (std::is_integral_v<T>)
    return option_kind::integer;
  else if constexpr (std::is_floating_point_v<
                         T> || std::is_same_v<T, std::optional<double>>)
    return option_kind::number;
  else if constexpr (std::is_same_v<T, std::filesystem::path>)
    return option_kind::path;
  else if constexpr (std::is_same_v<T, std::string>)
    return option_kind::text;
  else
    return option_kind::list;
}

/// TOML has no way to say "none": below 0 stands for it.
inline constexpr double no_number = -1;

template <class T>
option_value to_option_value(const T& member) {
  if constexpr (kind_of<T>() == option_kind::integer)
    return static_cast<std::int64_t>(member);
  else if constexpr (kind_of<T>() == option_kind::path)
    return member.string();
  else if constexpr (std::is_same_v<T, std::optional<double>>)
    return member.value_or(no_number);
  else
    return member;
}

template <class T>
void assign_option(T& member, const option_value& value) {
  if constexpr (kind_of<T>() == option_kind::integer) {
    member = static_cast<T>(std::get<std::int64_t>(value));
  } else if constexpr (kind_of<T>() == option_kind::number) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    const double number =
        whole ? static_cast<double>(*whole) : std::get<double>(value);
    if constexpr (std::is_same_v<T, double>)
      member = number;
    else
      member = number < 0 ? T{} : T{number};
  } else if constexpr (kind_of<T>() == option_kind::path) {
    member = std::get<std::string>(value);
  } else {
    member = std::get<T>(value);
  }
}

/// Collects the options of one section; the kind follows from the member.
template <class Options>
class section_of {
public:
  section_of(Options config::*part, std::string name, std::string sentence)
      : part_(part) {
    section_.name = std::move(name);
    section_.sentence = std::move(sentence);
  }

  template <class T>
  void add(T Options::*member, std::string name, std::string sentence,
           option_facts facts = {}) {
    auto item =
        described<T>(std::move(name), std::move(sentence), std::move(facts));
    item.get = [part = part_, member](const config& from) {
      return to_option_value(from.*part.*member);
    };
    item.set = [part = part_, member](config& to, const option_value& value) {
      assign_option(to.*part.*member, value);
    };
    section_.options.push_back(std::move(item));
  }

  /// A member of a struct that several sections have.
  template <class Inner, class T>
  void add(Inner Options::*inner, T Inner::*member, std::string name,
           std::string sentence, option_facts facts = {}) {
    auto item =
        described<T>(std::move(name), std::move(sentence), std::move(facts));
    item.get = [part = part_, inner, member](const config& from) {
      return to_option_value(from.*part.*inner.*member);
    };
    item.set = [part = part_, inner, member](config& to,
                                             const option_value& value) {
      assign_option(to.*part.*inner.*member, value);
    };
    section_.options.push_back(std::move(item));
  }

  option_section take() { return std::move(section_); }

private:
  template <class T>
  option described(std::string name, std::string sentence, option_facts facts) {
    option item;
    item.section = section_.name;
    item.name = std::move(name);
    item.sentence = std::move(sentence);
    item.unit = std::move(facts.unit);
    item.kind = kind_of<T>();
    if (item.kind == option_kind::text && !facts.choices.empty())
      item.kind = option_kind::choice;
    item.min = facts.min;
    item.max = facts.max;
    item.choices = std::move(facts.choices);
    return item;
  }

  Options config::*part_;
  option_section section_;
};

// Of the other schema files.
option_section search_section();
option_section eval_section();
option_section retrieval_section();
option_section prompts_section();
option_section agent_section();
option_section reflector_section();
option_section integrator_section();
option_section judge_section();
option_section embedder_section();
option_section user_section();
option_section statement_judge_section();
option_section models_section();
option_section budget_section();

} // namespace brewery
