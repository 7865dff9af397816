#pragma once
/// How the schema files declare options; private to config/schema*.cpp.
///
///   section_of<run_options> run{&config::run, "run", "This run."};
///   run.add(&run_options::seed, "seed", "Seed of every draw.", {.min = 0});
///   out.push_back(run.take());

#include "base/error.hpp"
#include "config/option.hpp"

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace brewery {

/// Upper bound of task counts.
inline constexpr double tasks_max = 1e6;
/// Upper bound of timeouts: a day.
inline constexpr double timeout_max_ms = 86'400'000;

/// A word that an integer option takes in place of a number.
struct named_number {
  std::string word;
  std::int64_t number = 0; ///< outside of the option's range
};

struct option_facts {
  std::string unit{};
  std::optional<double> min{};
  std::optional<double> max{};
  std::vector<std::string> choices{};
  std::optional<named_number> word{};
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

/// TOML has no value for "none": numbers below 0 stand for it.
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

/// Combines member pointers into a nested member of a configuration:
/// `at(&config::environment, &environment_options::tau2)`.
template <class First, class... Rest>
auto at(First first, Rest... rest) {
  return [=](auto& from) -> auto& {
    if constexpr (sizeof...(rest) == 0)
      return from.*first;
    else
      return at(rest...)(from.*first);
  };
}

/// Collects the options of one section. The member's type determines the kind.
template <class Options>
class section_of {
public:
  /// `part` is the section's struct in a configuration: a member pointer or a
  /// result of `at`.
  template <class Part>
  section_of(Part part, std::string name, std::string sentence)
      : read_([part](const config& from) -> const Options& {
          return std::invoke(part, from);
        }),
        edit_(
            [part](config& to) -> Options& { return std::invoke(part, to); }) {
    section_.name = std::move(name);
    section_.sentence = std::move(sentence);
  }

  /// `member` is in the section's struct: a member pointer or a result of `at`.
  template <class Member>
  void add(Member member, std::string name, std::string sentence,
           option_facts facts = {}) {
    using value_type =
        std::remove_cvref_t<std::invoke_result_t<Member, Options&>>;
    const auto word = facts.word;
    auto item = described<value_type>(std::move(name), std::move(sentence),
                                      std::move(facts));
    item.get = [read = read_, member, word](const config& from) {
      const auto value = to_option_value(std::invoke(member, read(from)));
      if (word && value == option_value{word->number})
        return option_value{word->word};
      return value;
    };
    item.set = [edit = edit_, member, word](config& to,
                                            const option_value& value) {
      auto& changed = std::invoke(member, edit(to));
      if (word && value == option_value{word->word})
        assign_option(changed, option_value{word->number});
      else
        assign_option(changed, value);
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
    if (facts.word) {
      BREWERY_ASSERT(item.kind == option_kind::integer);
      item.kind = option_kind::integer_or_word;
      facts.choices = {facts.word->word};
    }
    item.min = facts.min;
    item.max = facts.max;
    item.choices = std::move(facts.choices);
    return item;
  }

  std::function<const Options&(const config&)> read_;
  std::function<Options&(config&)> edit_;
  option_section section_;
};

// The sections that the other schema files declare.
option_section environment_section();
option_section tau2_section();
option_section tau2_official_section();
option_section external_section();
option_section spreadsheet_section();
option_section osworld_section();
option_section plant_section();
option_section search_section();
option_section agent_kb_section();
option_section memory_port_section();
option_section eval_section();
option_section economy_section();
option_section muse_section();
option_section retrieval_section();
option_section prompts_section();
option_section agent_section();
option_section reflector_section();
option_section memory_section();
option_section integrator_section();
option_section judge_section();
option_section embedder_section();
option_section user_section();
option_section statement_judge_section();
option_section models_section();
option_section budget_section();

} // namespace brewery
