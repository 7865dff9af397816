/// `brewery generate telecom`: makes tasks in tau2-bench's file formats.

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "envs/tau2/telecom/telecom_generator.hpp"

#include <memory>

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

struct generate_arguments {
  tau2::generator_options options;
  std::string customers = "examples/telecom";
  std::string out;
};

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
      ->required();
  command->add_option("--seed", options.seed, "Kind of tasks.")
      ->capture_default_str();
  command->add_option("--train", options.train, "Training tasks.")
      ->capture_default_str();
  command->add_option("--eval", options.eval, "Eval tasks.")
      ->capture_default_str();
  command->add_option("--test", options.test, "Test tasks.")
      ->capture_default_str();
  command
      ->add_option("--faults-max", options.faults_max,
                   "Maximum number of faults per task.")
      ->check(CLI::Range(1, 6))
      ->capture_default_str();
  command
      ->add_option("--customers", arguments->customers,
                   "Directory with db.toml and user_db.toml.")
      ->capture_default_str();
  command->callback([arguments, &chosen] {
    chosen = [arguments] {
      const auto tasks = std::filesystem::path{arguments->out} / "tasks.json";
      std::error_code ignored;
      if (std::filesystem::exists(tasks, ignored))
        return report(error{ec::already_exists,
                            tasks.string()
                                + " exists already: remove it or choose "
                                  "another --out"});
      arguments->options.customers = arguments->customers;
      const auto done =
          tau2::generate_telecom(arguments->options, arguments->out);
      return done ? static_cast<int>(exit_ok) : report(done.error());
    };
  });
}

} // namespace brewery
