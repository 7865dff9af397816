#include "run/run_identity.hpp"

#include "base/text.hpp"
#include "cluster/ledger/memo_loader.hpp"
#include "config/load.hpp"
#include "config/model_use.hpp"
#include "config/print.hpp"
#include "messages/wire/codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace brewery {

config what_decides(config options) {
  const auto seed = options.run.seed;
  options.run = {};
  options.run.seed = seed;
  options.cluster = {};
  options.models = {};
  options.budget = {};
  options.environment.simulated_latency_ms = 0;
  options.environment.needs.clear();
  options.economy.reuse_from.clear(); // it saves, and decides nothing
  for (auto* model : role_models(options))
    model->max_tokens = 0;
  return options;
}

namespace {

struct earlier {
  run_record record;
  config options;
};

std::optional<run_record> record_in(const memo_content& known) {
  const auto found =
      known.decisions.find(fmt::format("{}/run", run_record::type_name));
  if (found == known.decisions.end()) return std::nullopt;
  auto record = wire::decode<run_record>(found->second);
  if (!record) return std::nullopt;
  return std::move(*record);
}

/// How the log says that the run was started; empty if it does not say so.
std::optional<earlier> recorded_start(const memo_content& known) {
  auto record = record_in(known);
  if (!record) return std::nullopt;
  auto then = parse_config(record->config, {.file = "the log",
                                            .overrides = {},
                                            .environment = {},
                                            .working_directory = "/"});
  if (!then.problems.empty()) return std::nullopt;
  return earlier{std::move(*record), what_decides(std::move(then.value))};
}

} // namespace

std::pair<std::string, std::string> differing_words(std::string_view a,
                                                    std::string_view b) {
  auto left = split(a, ' '), right = split(b, ' ');
  while (!left.empty() && !right.empty() && left.back() == right.back()) {
    left.pop_back();
    right.pop_back();
  }
  const auto begin =
      std::mismatch(left.begin(), left.end(), right.begin(), right.end());
  const auto rest = [](auto from, auto to) {
    return join(std::vector<std::string>(from, to), " ");
  };
  return {rest(begin.first, left.end()), rest(begin.second, right.end())};
}

result<recorded_start_of_run> start_on_record(const memo_content& known) {
  auto found = recorded_start(known);
  if (!found || found->record.playing.empty())
    return error{ec::not_found, "its log does not say what its rollouts depend "
                                "on: it has not begun, or is of an older "
                                "release"};
  return recorded_start_of_run{std::move(found->record.playing),
                               std::move(found->options)};
}

fingerprints keys_of(const run_record& record) {
  return {record.fingerprint, record.playing, record.reflecting,
          record.integrating};
}

fingerprints as_recorded(const memo_content& known, fingerprints prints) {
  const auto before = record_in(known);
  if (!before) return prints;
  return {std::move(prints.whole), before->playing, before->reflecting,
          before->integrating};
}

run_record started_with(const memo_content& known, const fingerprints& prints,
                        const config& options) {
  const auto before = recorded_start(known);
  if (before && before->record.fingerprint == prints.whole
      && before->options == what_decides(options))
    return before->record;
  return {prints.whole, to_toml(options), prints.playing, prints.reflecting,
          prints.integrating};
}

bool is_recorded_with(const memo_content& known, const config& options) {
  const auto before = recorded_start(known);
  return before && before->options == what_decides(options);
}

namespace {

/// The words of a fingerprint. Those of a role on a model are "judge=small t=0
/// ... prompts=HASH"; what the catalog calls a model follows as "small=gpt".
using print_words = std::vector<std::string_view>;

std::pair<std::string_view, std::string_view> halves_of(std::string_view word) {
  const auto at = word.find('=');
  if (at == std::string_view::npos) return {};
  return {word.substr(0, at), word.substr(at + 1)};
}

bool begins_role(const print_words& words, std::size_t at) {
  return at + 1 < words.size() && words[at + 1].starts_with("t=");
}

bool is_model(const print_words& words, std::string_view name) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (begins_role(words, i) && halves_of(words[i]).second == name)
      return true;
  return false;
}

/// What a word that differs says to people; empty: nothing simple.
std::string difference_in(const print_words& before, const print_words& now,
                          std::size_t at) {
  const auto [key, was] = halves_of(before[at]);
  const auto [same_key, is] = halves_of(now[at]);
  if (key.empty() || key != same_key) return {};
  if (key == "rubrics") return "the rubrics differ";
  if (key == "prompts") {
    while (at > 0 && !begins_role(now, at))
      --at;
    return fmt::format("the prompt files of the {} differ",
                       halves_of(now[at]).first);
  }
  if (!begins_role(now, at) && is_model(now, key))
    return fmt::format("[model.{}] is now '{}', was '{}'", key, is, was);
  return {};
}

/// All differences between two fingerprints; their words if one of them says
/// nothing to people.
std::string differences_of(std::string_view before, std::string_view now) {
  const auto old_words = split(before, ' '), new_words = split(now, ' ');
  std::vector<std::string> found;
  for (std::size_t i = 0;
       old_words.size() == new_words.size() && i < new_words.size(); ++i) {
    if (old_words[i] == new_words[i]) continue;
    found.push_back(difference_in(old_words, new_words, i));
    if (found.back().empty()) {
      found.clear();
      break;
    }
  }
  if (!found.empty()) return join(found, ", ");
  const auto differs = differing_words(before, now);
  return fmt::format("with \"{}\", and now it would be \"{}\"", differs.first,
                     differs.second);
}

} // namespace

result<void> check_fingerprint(const memo_content& known,
                               const std::string& fingerprint) {
  const auto before = record_in(known);
  if (!before || before->fingerprint == fingerprint) return {};
  return error{ec::invalid_argument,
               fmt::format("the run began with other data, models or rules: "
                           "{}; restore what it began with, or start a new run",
                           differences_of(before->fingerprint, fingerprint))};
}

result<bool> extend(memo_content& known, const std::string& fingerprint,
                    const config& options) {
  if (auto ok = check_fingerprint(known, fingerprint); !ok) return ok.error();
  auto before = recorded_start(known);
  if (!before) return false;
  auto& then = before->options.search.iterations;
  if (then >= options.search.iterations) return false;
  then = options.search.iterations;
  if (before->options != what_decides(options)) return false;
  forget_shorter_run(known);
  return true;
}

} // namespace brewery
