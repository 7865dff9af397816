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

result<void> check_fingerprint(const memo_content& known,
                               const std::string& fingerprint) {
  const auto before = record_in(known);
  if (!before || before->fingerprint == fingerprint) return {};
  const auto differs = differing_words(before->fingerprint, fingerprint);
  return error{ec::invalid_argument,
               fmt::format("the run began with other data, models or rules: "
                           "with \"{}\", and now it would be \"{}\"; restore "
                           "what it began with, or start a new run",
                           differs.first, differs.second)};
}

result<bool> extend(memo_content& known, const std::string& fingerprint,
                    const config& options) {
  auto before = recorded_start(known);
  if (!before) return false;
  auto& then = before->options.search.iterations;
  if (then >= options.search.iterations) return false;
  then = options.search.iterations;
  if (before->options != what_decides(options)) return false;
  if (auto ok = check_fingerprint(known, fingerprint); !ok) return ok.error();
  forget_shorter_run(known);
  return true;
}

} // namespace brewery
