#include "run/evaluation/memory_port.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "envs/external/external_protocol.hpp"
#include "messages/job_msgs.hpp"
#include "messages/wire/codec.hpp"
#include "process/line_channel.hpp"
#include "run/setup/child_environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace brewery {

namespace {

using std::chrono::milliseconds;

constexpr int port_version = 1;
constexpr std::size_t texts_of_a_request = 50;
constexpr std::size_t hit_bytes_max = 20'000; ///< longer ones are cut
constexpr std::size_t named_bytes_max = 100;
constexpr milliseconds end_patience{2'000};

error wrong(std::string what) {
  return {ec::environment, "memory_port: " + std::move(what)};
}

result<child::child_command> command_of(const memory_port_options& how) {
  auto words = command_words(how.command, "memory_port.command");
  if (!words) return words.error();
  child::child_command command;
  command.words = std::move(*words);
  for (const auto* name : {"PATH", "HOME", "LANG", "TMPDIR"})
    if (const auto* value = std::getenv(name))
      command.variables.emplace_back(name, value);
  for (const auto& name : how.pass_env) {
    const auto* value = std::getenv(name.c_str());
    if (value == nullptr)
      return error{ec::invalid_config,
                   fmt::format("memory_port.pass_env: {} is not set", name)};
    command.variables.emplace_back(name, value);
  }
  return command;
}

/// A child that is asked one thing after the other.
class memory_child {
public:
  static result<memory_child> start(const memory_port_options& how,
                                    const std::function<bool()>& stopped,
                                    child::log_sink log) {
    auto command = command_of(how);
    if (!command) return command.error();
    auto process = child::child_process::start(*command);
    if (!process)
      return error{ec::invalid_config,
                   "memory_port.command: " + process.error().message};
    memory_child out{child::line_channel{std::move(*process), std::move(log)}};
    out.channel_.stop_when(stopped);
    return out;
  }

  /// The object `result` of the reply.
  result<json> ask(const char* op, json request, milliseconds patience) {
    request["id"] = ++asked_;
    request["op"] = op;
    const auto line = channel_.exchange(
        request.dump(-1, ' ', false, json::error_handler_t::replace), patience);
    if (!line && line.error().code == ec::cancelled) return line.error();
    if (!line)
      return wrong(with_last_words(
          op, line.error().code == ec::timeout ? fmt::format(
                  "no answer within {} ms; it was killed", patience.count())
                                               : line.error().message));
    auto reply = external::read_reply(*line, asked_);
    if (!reply) return wrong(with_last_words(op, reply.error().message));
    return reply;
  }

  void end(milliseconds patience) {
    channel_.close_input();
    channel_.end(patience);
  }

private:
  explicit memory_child(child::line_channel channel)
      : channel_(std::move(channel)) {}

  std::string with_last_words(const char* op, const std::string& what) {
    const auto words = channel_.last_words();
    return fmt::format(
        "{}: {}{}{}", op, what,
        words.empty() ? "" : "; last on its standard error: ", words);
  }

  child::line_channel channel_;
  std::uint64_t asked_ = 0;
};

std::string text_member(const json& of, const char* name) {
  const auto it = of.find(name);
  return it != of.end() && it->is_string()
             ? single_line(it->get_ref<const std::string&>(), named_bytes_max)
             : std::string{};
}

result<void> introduce(memory_child& child, const memory_port_options& how,
                       std::string_view advice) {
  const auto about = child.ask("hello", {{"version", port_version}},
                               milliseconds{how.start_timeout_ms});
  if (!about) return about.error();
  const auto is =
      text_member(*about, "name") + " " + text_member(*about, "version");
  if (is != how.package)
    return error{ec::invalid_config,
                 fmt::format("memory_port.package: the memory says that it is "
                             "\"{}\", not \"{}\"; {}",
                             is, how.package, advice)};
  return {};
}

result<void> ingest(memory_child& child, const memory_port_options& how,
                    const std::vector<std::string>& texts) {
  for (std::size_t at = 0; at < texts.size(); at += texts_of_a_request) {
    auto some = json::array();
    for (auto i = at; i < std::min(texts.size(), at + texts_of_a_request); ++i)
      some.push_back(texts[i]);
    const auto done = child.ask("ingest", {{"texts", std::move(some)}},
                                milliseconds{how.ingest_timeout_ms});
    if (!done) return done.error();
  }
  return {};
}

result<std::vector<std::string>> search(memory_child& child,
                                        const memory_port_options& how,
                                        const std::string& query) {
  const auto found =
      child.ask("search", {{"query", query}, {"limit", how.hits}},
                milliseconds{how.search_timeout_ms});
  if (!found) return found.error();
  const auto texts = found->find("texts");
  if (texts == found->end() || !texts->is_array()
      || !std::ranges::all_of(*texts,
                              [](const json& one) { return one.is_string(); }))
    return wrong("search: \"texts\" is no list of texts");
  std::vector<std::string> out;
  for (const auto& one : *texts) {
    auto text =
        printable(excerpt(one.get_ref<const std::string&>(), hit_bytes_max));
    if (!trim(text).empty() && out.size() < how.hits
        && std::ranges::find(out, text) == out.end())
      out.push_back(std::move(text));
  }
  return out;
}

} // namespace

result<void> can_recall(const memory_port_options& how) {
  const auto command = command_of(how);
  if (!command) return command.error();
  const auto program = child::find_program(*command);
  if (!program)
    return error{ec::invalid_config,
                 "memory_port.command: " + program.error().message};
  if (::access(program->c_str(), X_OK) != 0)
    return error{ec::invalid_config,
                 fmt::format("memory_port.command: {}: {}", *program,
                             std::strerror(errno))};
  return {};
}

result<void> is_memory(const memory_port_options& how) {
  auto child = memory_child::start(how, {}, {});
  if (!child) return child.error();
  auto known = introduce(*child, how,
                         "tables have this name, so set it to what it says");
  child->end(known ? end_patience : milliseconds{0});
  return known;
}

result<recalled_texts> recall(const memory_port_options& how,
                              const std::vector<std::string>& texts,
                              const std::vector<learner_task>& tasks,
                              const std::function<bool()>& stopped,
                              child::log_sink log) {
  auto child = memory_child::start(how, stopped, std::move(log));
  if (!child) return child.error();
  const auto asked = [&]() -> result<recalled_texts> {
    // The option is on record, and a resume cannot set it.
    if (auto ok = introduce(*child, how,
                            "the run has this name on record: let the command "
                            "start that package again and resume, or begin a "
                            "new run");
        !ok)
      return ok.error();
    if (auto ok = ingest(*child, how, texts); !ok) return ok.error();
    std::map<std::string, std::vector<std::string>> known; // by query
    recalled_texts out;
    for (const auto& task : tasks) {
      auto it = known.find(task.instruction);
      if (it == known.end()) {
        auto found = search(*child, how, task.instruction);
        if (!found) return found.error();
        it = known.emplace(task.instruction, std::move(*found)).first;
      }
      out[task.id] = it->second;
    }
    if (auto ok = child->ask("close", json::object(),
                             milliseconds{how.search_timeout_ms});
        !ok)
      return ok.error();
    return out;
  }();
  child->end(asked ? end_patience : milliseconds{0});
  return asked;
}

namespace {

/// Stands before all tasks, where older releases read nothing.
constexpr const char* shown_whole = "shown whole";

const std::string* recall_in(const memo_content& known) {
  const auto found = known.decisions.find(
      fmt::format("{}/{}", recall_kind, comparators::port));
  return found == known.decisions.end() ? nullptr : &found->second;
}

} // namespace

std::string encoded(const recalled_texts& found) {
  memory_result out;
  out.texts.push_back({shown_whole, {}});
  for (const auto& [task, texts] : found) {
    out.texts.push_back({"task", task.value});
    for (const auto& text : texts)
      out.texts.push_back({"hit", text});
  }
  return wire::encode(out);
}

result<recalled_texts> decoded_recall(std::string_view payload) {
  const auto read = wire::decode<memory_result>(payload);
  if (!read) return read.error();
  recalled_texts out;
  std::vector<std::string>* hits = nullptr;
  for (const auto& one : read->texts)
    if (one.name == "task")
      hits = &out[task_id{one.text}];
    else if (hits != nullptr)
      hits->push_back(one.text);
  return out;
}

result<std::optional<recalled_texts>> recalled_of(const memo_content& known) {
  const auto* found = recall_in(known);
  if (!found) return std::optional<recalled_texts>{};
  auto out = decoded_recall(*found);
  if (!out) return out.error();
  return std::optional{std::move(*out)};
}

bool is_shown_whole(const memo_content& known) {
  const auto* found = recall_in(known);
  if (!found) return true; // what is recalled now
  const auto read = wire::decode<memory_result>(*found);
  return read && !read->texts.empty()
         && read->texts.front().name == shown_whole;
}

} // namespace brewery
