#include "base/text.hpp"
#include "cli/reference/completion.hpp"

namespace brewery {

namespace {

/// Below what is written for each command. Two tables say what there is:
/// `_brewery_words` fills `words` and `about` for a command, `_brewery_value`
/// prints what may follow an option.
constexpr const char* bash_engine = R"(
_brewery_complete() {
  # Keeps what begins with $1; several at once are listed with their help.
  local i found=() help=()
  for ((i = 0; i < ${#words[@]}; i++)); do
    [[ ${words[i]} == "$1"* ]] || continue
    found+=("${words[i]}")
    help+=("${about[i]}")
  done
  COMPREPLY=("${found[@]}")
  ((${#found[@]} > 1)) && [[ ${COMP_TYPE:-9} == 63 ]] || return 0
  local width=0 columns=${COLUMNS:-80}
  for i in "${found[@]}"; do ((${#i} > width)) && width=${#i}; done
  for ((i = 0; i < ${#found[@]}; i++)); do
    [[ ${help[i]} ]] || continue
    printf -v COMPREPLY[i] '%-*s  (%s' "$width" "${found[i]}" "${help[i]}"
    COMPREPLY[i]=${COMPREPLY[i]:0:columns-2}')'
  done
}

_brewery_runs() {
  local name
  for name in "${BREWERY_RUN__RUNS_DIR:-runs}"/*/; do
    [[ -d $name ]] || continue
    name=${name%/}
    words+=("${name##*/}")
    about+=('')
  done
}

_brewery() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  local path='' next word i words=() about=() kind
  COMPREPLY=()
  if [[ $current == = ]]; then # --option=
    current=''
  elif [[ $before == = && COMP_CWORD -gt 2 ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    next=${path:+$path }$word
    [[ $'\n'$_brewery_paths$'\n' == *$'\n'$next$'\n'* ]] || break
    path=$next
  done
  kind=$(_brewery_value "$path" "$before")
  if [[ ! $kind && $current != -* ]]; then
    _brewery_words "$path" commands
    kind=$(_brewery_value "$path" operand)
    # Below a command with commands of its own, a run may stand as well.
    ((${#words[@]})) && [[ $kind != run ]] && kind=''
  fi
  case $kind in
    '') [[ $current == -* ]] && _brewery_words "$path" options ;;
    run) _brewery_runs ;;
    key) _brewery_keys; compopt -o nospace 2>/dev/null ;;
    file) ;;
    *) words=($kind) ;;
  esac
  _brewery_complete "$current"
  # Where a path may stand, and no word of ours fits.
  [[ $kind == file || $kind == run ]] && ((!${#COMPREPLY[@]})) \
    && compopt -o default 2>/dev/null
  return 0
}

complete -F _brewery brewery
)";

using pairs = std::vector<std::pair<std::string, std::string>>;

std::string array_of(const pairs& entries) {
  std::string words, about;
  for (const auto& [word, sentence] : entries) {
    words += ' ' + shell_quoted(word);
    about += "\n        " + shell_quoted(sentence);
  }
  return "      words=(" + words + " )\n      about=(" + about + ")\n";
}

std::string bash_words(const completed_program& program) {
  std::string out = "_brewery_words() {\n  case $1:$2 in\n";
  for (const auto& command : program.commands) {
    pairs commands, options;
    for (const auto index : command.commands)
      commands.emplace_back(program.commands[index].path.back(),
                            program.commands[index].sentence);
    for (const auto& option : command.options)
      for (const auto& name : option.names)
        options.emplace_back(name, option.sentence);
    const auto path = path_text(command);
    if (!commands.empty())
      out += "    " + shell_quoted(path + ":commands") + ")\n"
             + array_of(commands) + "      ;;\n";
    out += "    " + shell_quoted(path + ":options") + ")\n" + array_of(options)
           + "      ;;\n";
  }
  return out + "  esac\n}\n";
}

std::string value_word(const option_entry& option) {
  if (option.kind == value_kind::key) return "key";
  if (option.kind == value_kind::run) return "run";
  return option.choices.empty() ? "file" : join(option.choices, " ");
}

std::string bash_values(const completed_program& program) {
  std::string out = "_brewery_value() {\n  case $1:$2 in\n";
  const auto entry = [&](const std::string& pattern, const std::string& kind) {
    out += "    " + shell_quoted(pattern) + ") echo " + shell_quoted(kind)
           + " ;;\n";
  };
  for (const auto& command : program.commands) {
    const auto path = path_text(command) + ':';
    for (const auto& option : command.options)
      if (option.kind != value_kind::none)
        for (const auto& name : option.names)
          entry(path + name, value_word(option));
    if (!command.operands.empty())
      entry(path + "operand", value_word(command.operands.front()));
  }
  return out + "  esac\n}\n";
}

} // namespace

std::string shell_quoted(const std::string& text) {
  return '\'' + replace_all(text, "'", "'\\''") + '\'';
}

std::string bash_completion(const completed_program& program) {
  std::string paths;
  for (const auto& command : program.commands)
    if (!command.path.empty()) paths += '\n' + path_text(command);
  pairs keys;
  for (const auto& key : program.keys)
    keys.emplace_back(key.key + '=', key.sentence);
  return "# Completion of brewery " BREWERY_VERSION
         " for bash, by `brewery completion bash`.\n\n"
         "_brewery_paths="
         + shell_quoted(paths.substr(1)) + "\n\n" + bash_words(program) + '\n'
         + bash_values(program) + "\n_brewery_keys() {\n" + array_of(keys)
         + "}\n" + bash_engine;
}

} // namespace brewery
