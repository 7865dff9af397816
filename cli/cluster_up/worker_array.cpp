#include "cli/cluster_up/worker_array.hpp"

#include "base/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace brewery {

bool is_array_name(const std::string& name) {
  constexpr std::size_t name_bytes_max = 40;
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  return !name.empty() && name.size() <= name_bytes_max && name.front() != '-'
         && name.find_first_not_of(allowed) == std::string::npos;
}

std::string worker_name(const worker_array& array, std::uint32_t id) {
  return array.name + '-' + std::to_string(id);
}

std::string worker_log(const worker_array& array, std::uint32_t id) {
  return worker_name(array, id) + ".log";
}

std::vector<std::string> worker_line(const worker_array& array,
                                     const std::string& name) {
  std::vector<std::string> out{array.program, "worker", "--name", name};
  out.insert(out.end(), array.worker_words.begin(), array.worker_words.end());
  return out;
}

std::string shell_line(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const auto& word : words)
    quoted.push_back(shell_word(word));
  return join(quoted, " ");
}

std::string option_value(const std::vector<std::string>& words,
                         const std::string& option) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == option && i + 1 < words.size())
      out = words[i + 1];
    else if (words[i].rfind(option + '=', 0) == 0)
      out = words[i].substr(option.size() + 1);
  return out;
}

std::string to_json(const worker_array& array) {
  nlohmann::ordered_json handles = nlohmann::ordered_json::object();
  for (const auto& [id, handle] : array.handles)
    handles[std::to_string(id)] = handle;
  return nlohmann::ordered_json{{"name", array.name},
                                {"engine", array.engine},
                                {"program", array.program},
                                {"directory", array.directory},
                                {"worker_words", array.worker_words},
                                {"engine_words", array.engine_words},
                                {"hosts", array.hosts},
                                {"deployment", array.deployment},
                                {"handles", handles},
                                {"enough_since_s", array.enough_since_s}}
             .dump(2)
         + '\n';
}

result<worker_array> parse_worker_array(const std::string& text) {
  try {
    const auto stored = nlohmann::json::parse(text);
    worker_array out;
    stored.at("name").get_to(out.name);
    stored.at("engine").get_to(out.engine);
    stored.at("program").get_to(out.program);
    stored.at("directory").get_to(out.directory);
    stored.at("worker_words").get_to(out.worker_words);
    stored.at("engine_words").get_to(out.engine_words);
    stored.at("hosts").get_to(out.hosts);
    stored.at("deployment").get_to(out.deployment);
    stored.at("enough_since_s").get_to(out.enough_since_s);
    for (const auto& [id, handle] : stored.at("handles").items())
      out.handles[static_cast<std::uint32_t>(std::stoul(id))] =
          handle.get<std::string>();
    return out;
  } catch (const std::exception& problem) {
    return error{ec::malformed, problem.what()};
  }
}

} // namespace brewery
