#include "base/text.hpp"
#include "cli/reference/completion.hpp"

namespace brewery {

namespace {

constexpr const char* zsh_helpers = R"(
_brewery_run_or_path() {
  local -a runs=(${BREWERY_RUN__RUNS_DIR:-runs}/*(/N:t))
  _alternative 'runs:run:compadd -a runs' 'files:path:_files'
}

# Loaded by its name, or read by `source`.
if [[ $funcstack[1] == _brewery ]]; then
  _brewery "$@"
else
  compdef _brewery brewery
fi
)";

/// Inside of the specification of `_arguments` or `_describe`.
std::string escaped(std::string text) {
  for (const auto* special : {"\\", "[", "]", ":"})
    text = replace_all(std::move(text), special, std::string{"\\"} + special);
  return text;
}

std::string function_of(const command_entry& command) {
  return replace_all(
      "_brewery" + (command.path.empty() ? "" : '_' + path_text(command, "_")),
      "-", "_");
}

std::string action_of(const option_entry& option) {
  if (option.kind == value_kind::key) return "_brewery_keys";
  if (option.kind == value_kind::run) return "_brewery_run_or_path";
  return option.choices.empty() ? "_files"
                                : '(' + join(option.choices, " ") + ')';
}

std::string option_line(const option_entry& option) {
  std::string value;
  if (option.kind != value_kind::none)
    value = ':' + escaped(option.value) + ':' + action_of(option);
  const bool has_value = !value.empty();
  const auto exclusive = "(" + join(option.names, " ") + ")";
  std::string out;
  for (const auto& name : option.names) {
    const std::string sign = !has_value               ? ""
                             : name.starts_with("--") ? "="
                                                      : "+";
    out += "    "
           + shell_quoted((option.repeated ? "*" : exclusive) + name + sign
                          + '[' + escaped(option.sentence) + ']' + value)
           + " \\\n";
  }
  return out;
}

std::string operand_line(const option_entry& operand) {
  return "    "
         + shell_quoted((operand.repeated   ? "*:"
                         : operand.required ? ":"
                                            : "::")
                        + escaped(operand.names.front()) + ':'
                        + action_of(operand))
         + " \\\n";
}

std::string command_function(const completed_program& program,
                             const command_entry& command) {
  const auto name = function_of(command);
  std::string arguments;
  for (const auto& option : command.options)
    arguments += option_line(option);
  if (command.commands.empty()) {
    for (const auto& operand : command.operands)
      arguments += operand_line(operand);
    return '\n' + name + "() {\n  _arguments -s -S \\\n" + arguments
           + "    && return\n}\n";
  }
  // In the place of a command a run may stand as well.
  const bool takes_run = !command.operands.empty()
                         && command.operands.front().kind == value_kind::run;
  const std::string operand = takes_run ? "      _brewery_run_or_path\n" : "";
  std::string described, cases;
  for (const auto index : command.commands) {
    const auto& below = program.commands[index];
    described += "        "
                 + shell_quoted(escaped(below.path.back()) + ':'
                                + escaped(below.sentence))
                 + '\n';
    cases +=
        "        " + below.path.back() + ") " + function_of(below) + " ;;\n";
  }
  return '\n' + name
         + "() {\n  local curcontext=$curcontext state line\n"
           "  typeset -A opt_args\n  _arguments -C \\\n"
         + arguments
         + "    '1: :->command' '*:: :->rest' && return\n"
           "  case $state in\n    command)\n      local -a commands=(\n"
         + described + "      )\n      _describe -t commands command commands\n"
         + operand + "      ;;\n    rest)\n      case $words[1] in\n" + cases
         + "      esac\n      ;;\n  esac\n}\n";
}

} // namespace

std::string zsh_completion(const completed_program& program) {
  std::string out = "#compdef brewery\n"
                    "# Completion of brewery " BREWERY_VERSION
                    " for zsh, by `brewery completion zsh`.\n";
  for (const auto& command : program.commands)
    out += command_function(program, command);
  out += "\n_brewery_keys() {\n  local -a keys=(\n";
  for (const auto& key : program.keys)
    out += "    " + shell_quoted(key.key + '=' + ':' + escaped(key.sentence))
           + '\n';
  return out + "  )\n  _describe -t keys option keys -S ''\n}\n" + zsh_helpers;
}

} // namespace brewery
