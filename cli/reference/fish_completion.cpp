#include "base/text.hpp"
#include "cli/reference/completion.hpp"

namespace brewery {

namespace {

constexpr const char* fish_helpers = R"(
# Whether the words so far name this command and none below it.
function __brewery_at
    set -l words (commandline -opc)
    set -l path
    for word in $words[2..-1]
        set -l next (string trim -- "$path $word")
        contains -- $next $__brewery_paths; or break
        set path $next
    end
    test "$path" = "$argv[1]"
end

function __brewery_runs
    set -l folder runs
    set -q BREWERY_RUN__RUNS_DIR; and set folder $BREWERY_RUN__RUNS_DIR
    for run in $folder/*/
        string replace -r '.*/([^/]+)/$' '$1' -- $run
    end
end
)";

/// Fish knows two escapes in single quotes.
std::string fish_quoted(std::string text) {
  return '\''
         + replace_all(replace_all(std::move(text), "\\", "\\\\"), "'", "\\'")
         + '\'';
}

std::string fish_values(const option_entry& option) {
  if (option.kind == value_kind::key) return " -x -a '(__brewery_keys)'";
  if (option.kind == value_kind::run) return " -r -F -a '(__brewery_runs)'";
  return option.choices.empty()
             ? " -r -F"
             : " -x -a " + fish_quoted(join(option.choices, " "));
}

std::string fish_option(const std::string& at, const option_entry& option) {
  std::string out = at;
  for (const auto& name : option.names)
    out += name.starts_with("--") ? " -l " + name.substr(2)
                                  : " -s " + name.substr(1);
  if (option.kind != value_kind::none) out += fish_values(option);
  return out + " -d " + fish_quoted(option.sentence) + '\n';
}

std::string fish_lines(const completed_program& program,
                       const command_entry& command) {
  const auto at =
      "complete -c brewery -n "
      + fish_quoted("__brewery_at " + fish_quoted(path_text(command)));
  std::string out;
  for (const auto index : command.commands) {
    const auto& below = program.commands[index];
    out += at + " -f -a " + below.path.back() + " -d "
           + fish_quoted(below.sentence) + '\n';
  }
  for (const auto& option : command.options)
    out += fish_option(at, option);
  if (!command.operands.empty()
      && command.operands.front().kind == value_kind::run)
    out += at + " -a '(__brewery_runs)'\n";
  return out;
}

} // namespace

std::string fish_completion(const completed_program& program) {
  std::string out = "# Completion of brewery " BREWERY_VERSION
                    " for fish, by `brewery completion fish`.\n\n"
                    "set -g __brewery_paths";
  for (const auto& command : program.commands)
    if (!command.path.empty())
      out += " \\\n    " + fish_quoted(path_text(command));
  out += "\n\nfunction __brewery_keys\n    printf '%s\\t%s\\n'";
  for (const auto& key : program.keys)
    out += " \\\n        " + key.key + "= " + fish_quoted(key.sentence);
  out += "\nend\n";
  out += fish_helpers;
  out += '\n';
  for (const auto& command : program.commands)
    out += fish_lines(program, command);
  return out;
}

} // namespace brewery
