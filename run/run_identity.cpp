#include "run/run_identity.hpp"

#include "config/load.hpp"
#include "config/print.hpp"
#include "messages/wire/codec.hpp"

#include <fmt/format.h>

namespace brewery {

config what_decides(config options) {
  const auto seed = options.run.seed;
  options.run = {};
  options.run.seed = seed;
  options.cluster = {};
  options.models = {};
  options.budget = {};
  options.environment.simulated_latency_ms = 0;
  return options;
}

run_record started_with(const memo_content& known,
                        const std::string& fingerprint, const config& options) {
  run_record now{fingerprint, to_toml(options)};
  const auto found =
      known.decisions.find(fmt::format("{}/run", run_record::type_name));
  if (found == known.decisions.end()) return now;
  const auto before = wire::decode<run_record>(found->second);
  if (!before || before->fingerprint != fingerprint) return now;
  const auto then = parse_config(before->config, {.file = "the log",
                                                  .overrides = {},
                                                  .environment = {},
                                                  .working_directory = "/"});
  if (then.problems.empty()
      && what_decides(then.value) == what_decides(options))
    return *before;
  return now;
}

} // namespace brewery
