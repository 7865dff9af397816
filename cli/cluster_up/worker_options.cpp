#include "cli/cluster_up/worker_options.hpp"

#include "cli/cluster_up/worker_array.hpp"
#include "cli/usage.hpp"

#include <filesystem>

namespace brewery {

namespace {

error bad_use(std::string why) {
  return error{ec::invalid_argument, std::move(why)};
}

/// What `brewery worker` itself says of them.
result<void> parses(const std::vector<std::string>& words) {
  CLI::App app{"", "brewery"};
  chosen_command never;
  add_worker_command(app, never);
  std::vector<std::string> line{"worker"};
  line.insert(line.end(), words.begin(), words.end());
  try {
    app.parse(std::vector<std::string>{line.rbegin(), line.rend()});
  } catch (const CLI::Success&) {
    return bad_use("--help and --version after -- start no worker");
  } catch (const CLI::ParseError& problem) {
    return bad_use("options of the workers: "
                   + usage_message(app, problem, line));
  }
  return {};
}

} // namespace

result<std::vector<std::string>>
worker_options(std::vector<std::string> words, const std::string& engine,
               const connection_arguments& operators) {
  if (engine == "k8s") {
    if (words.empty()) return words;
    return bad_use("workers on Kubernetes have the options that their "
                   "Deployment has (k8s/base/worker.yaml); give none after --");
  }
  if (auto ok = parses(words); !ok) return ok.error();
  if (!option_value(words, "--name").empty())
    return bad_use("--name after --: the workers are NAME-0, NAME-1, ... of "
                   "`cluster up --name`");
  if (option_value(words, "--connect").empty())
    words.insert(words.end(), {"--connect", operators.connect});
  const auto key = option_value(words, "--key");
  if (key.empty() && !operators.key.empty())
    return bad_use("workers need a key of their own, an operator's runs no "
                   "jobs: give --key FILE after --");
  if (!key.empty() && option_value(words, "--server-key").empty()) {
    if (operators.server_key.empty())
      return bad_use("--key after -- needs --server-key after -- too");
    words.insert(words.end(),
                 {"--server-key",
                  std::filesystem::absolute(operators.server_key).string()});
  }
  return words;
}

} // namespace brewery
