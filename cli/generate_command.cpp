/// `brewery generate telecom`: makes tasks in tau2-bench's file formats.

#include "base/embedded_text.hpp"
#include "base/file.hpp"
#include "cli/commands.hpp"
#include "cli/embedded_customers.hpp"
#include "cli/terminal.hpp"
#include "envs/tau2/telecom/telecom_generator.hpp"
#include "process/temporary_folder.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

namespace brewery {

namespace {

constexpr const char* telecom_footer =
    "Writes db.toml, user_db.toml, tasks.json and split_tasks.json into "
    "DIR. Equal options give\nequal files, and no two tasks start alike. "
    "DIR can be given as environment.data. Existing tasks are never "
    "overwritten.\n\n"
    "Example:\n"
    "  brewery generate telecom --seed 2 --out my-desk\n"
    "  brewery run config/telecom-example.toml --set "
    "environment.data=my-desk";

constexpr std::size_t tasks_most = 100'000;

struct generate_arguments {
  tau2::generator_options options;
  std::string customers; ///< empty: those in the program
  std::string out;
};

/// A directory with the customers that the program brings along.
result<temporary_folder> write_customers() {
  auto out = temporary_folder::make("brewery-customers-");
  if (!out) return out;
  for (const auto& file : embedded_customers())
    if (auto ok = write_file_atomically(
            out->path() / (std::string{file.name} + ".toml"),
            std::string{file.text});
        !ok)
      return ok.error();
  return out;
}

int generate_tasks(generate_arguments arguments) {
  for (const char* name :
       {"tasks.json", "split_tasks.json", "db.toml", "user_db.toml"}) {
    const auto file = std::filesystem::path{arguments.out} / name;
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored))
      return report(
          error{ec::already_exists,
                file.string() + " exists already: choose another --out"});
  }
  auto& options = arguments.options;
  options.customers = arguments.customers;
  std::optional<temporary_folder> own;
  if (arguments.customers.empty()) {
    auto files = write_customers();
    if (!files) return report(files.error());
    options.customers = own.emplace(*std::move(files)).path();
  }
  if (auto done = tau2::generate_telecom(options, arguments.out); !done)
    return report(done.error());
  const auto text = fmt::format("{} train, {} eval and {} test tasks of seed "
                                "{} in {}\n",
                                options.train, options.eval, options.test,
                                options.seed, arguments.out);
  std::fputs(text.c_str(), stdout);
  return exit_ok;
}

} // namespace

void add_generate_command(CLI::App& app, chosen_command& chosen) {
  auto* group =
      add_command(app, "generate", "Generate tasks to learn from.", "");
  group->require_subcommand(1);
  auto* command = add_command(*group, "telecom",
                              "A telecom support desk with compositional "
                              "faults, in tau2-bench's formats.",
                              telecom_footer);
  auto arguments = std::make_shared<generate_arguments>();
  auto& options = arguments->options;
  command->add_option("--out", arguments->out, "Directory to write.")
      ->required()
      ->check(not_empty);
  command->add_option("--seed", options.seed, "Kind of tasks.")
      ->check(seed_number)
      ->capture_default_str();
  command->add_option("--train", options.train, "Training tasks.")
      ->check(CLI::Range(std::size_t{1}, tasks_most))
      ->capture_default_str();
  command->add_option("--eval", options.eval, "Eval tasks.")
      ->check(CLI::Range(std::size_t{0}, tasks_most))
      ->capture_default_str();
  command->add_option("--test", options.test, "Test tasks.")
      ->check(CLI::Range(std::size_t{0}, tasks_most))
      ->capture_default_str();
  command
      ->add_option("--faults-max", options.faults_max,
                   "Maximum number of faults per task.")
      ->check(CLI::Range(1, 6))
      ->capture_default_str();
  command->add_option("--customers", arguments->customers,
                      "Directory with db.toml and user_db.toml; default: "
                      "customers that the program brings along.");
  command->callback([arguments, &chosen] {
    chosen = [arguments] { return generate_tasks(*arguments); };
  });
}

} // namespace brewery
