/// `brewery completion` and `brewery man`.

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/reference/completion.hpp"
#include "cli/reference/manual.hpp"
#include "cli/terminal.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

namespace brewery {

namespace {

namespace fs = std::filesystem;

constexpr const char* completion_footer =
    "Prints a script for the shell to standard output. It completes commands, "
    "options, the words\nthat an option accepts, the keys of --set and the "
    "runs below runs/. An installation has it in\nplace already.\n\n"
    "Examples:\n"
    "  source <(brewery completion bash)           in this shell\n"
    "  brewery completion bash > ~/.local/share/bash-completion/completions/"
    "brewery\n"
    "  brewery completion zsh > ~/.zfunc/_brewery  with ~/.zfunc in fpath\n"
    "  brewery completion fish > ~/.config/fish/completions/brewery.fish";

constexpr const char* man_footer =
    "Prints the man page of the program, or of a command, to standard output "
    "as roff. With --out\nit writes all of them, and brewery.toml.5 about "
    "configurations, into a directory. An\ninstallation has them in place "
    "already: man brewery-kb-list.\n\n"
    "Examples:\n"
    "  brewery man kb list | man -l -\n"
    "  brewery man --out ~/.local/share/man";

struct man_arguments {
  std::vector<std::string> command;
  std::string out;
};

int print_text(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return exit_ok;
}

int print_completion(const CLI::App& app, const std::string& shell) {
  const completed_program program{command_tree(app), configuration_keys()};
  return print_text(shell == "bash"  ? bash_completion(program)
                    : shell == "zsh" ? zsh_completion(program)
                                     : fish_completion(program));
}

int write_pages(const std::vector<manual_page>& pages, const fs::path& out) {
  for (const auto& page : pages) {
    const auto section = std::to_string(page.section);
    const auto folder = out / ("man" + section);
    std::error_code failed;
    fs::create_directories(folder, failed);
    const auto file = folder / (page.name + '.' + section);
    std::ofstream to{file, std::ios::binary};
    if (!(to << page.text << std::flush))
      return report(error{ec::io, "cannot write " + file.string()});
  }
  return print_text(counted(pages.size(), "page") + " in " + out.string()
                    + '\n');
}

int print_manual(const CLI::App& app, const man_arguments& arguments) {
  const auto commands = command_tree(app);
  if (!arguments.out.empty())
    return write_pages(manual_pages(commands), arguments.out);
  const auto found =
      std::find_if(commands.begin(), commands.end(), [&](const auto& command) {
        return command.path == arguments.command;
      });
  if (found == commands.end())
    return report(error{ec::invalid_argument,
                        "no command \"" + join(arguments.command, " ")
                            + "\"; `brewery --help` lists them"});
  return print_text(
      command_page(commands, static_cast<std::size_t>(found - commands.begin()))
          .text);
}

} // namespace

void add_reference_commands(CLI::App& app, chosen_command& chosen) {
  auto* completion =
      add_command(app, "completion", "Print the completion script of a shell.",
                  completion_footer);
  const auto shell = std::make_shared<std::string>();
  completion->add_option("SHELL", *shell, "The shell.")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->callback([shell, &app, &chosen] {
    chosen = [shell, &app] { return print_completion(app, *shell); };
  });
  auto* manual =
      add_command(app, "man", "Print or write man pages.", man_footer);
  const auto arguments = std::make_shared<man_arguments>();
  auto* command = manual->add_option("COMMAND", arguments->command,
                                     "Words of a command; default: none.");
  manual
      ->add_option("--out", arguments->out,
                   "Directory that gets man1/ and man5/ with all pages.")
      ->excludes(command);
  manual->callback([arguments, &app, &chosen] {
    chosen = [arguments, &app] { return print_manual(app, *arguments); };
  });
}

} // namespace brewery
