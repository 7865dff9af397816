#include "roles/sentence/sentence_model.hpp"

#include "base/printable.hpp"
#include "roles/sentence/model_files.hpp"
#include "roles/sentence/sentence_modules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <unistd.h>

namespace brewery::sentence {

using std::chrono::milliseconds;

namespace {

constexpr int attempts_max = 2;
constexpr double length_tolerance = 1e-3;
constexpr std::size_t shown_bytes_max = 300;

/// Runs the first module; it takes the others from its environment, too.
constexpr const char* start_text =
    "import os; exec(compile(os.environ.pop('BREWERY_SENTENCE_SERVER'), "
    "'sentence_server.py', 'exec'))";

constexpr const char* interpreter_advice =
    "name a Python with the packages onnxruntime, tokenizers and onnx, e.g. "
    "\"embedder/bin/python\" after `python3 -m venv embedder && "
    "embedder/bin/pip install onnxruntime tokenizers onnx`";

/// Without the keys and tokens of this process, and without a network to look
/// for models in.
std::vector<std::pair<std::string, std::string>> variables() {
  std::vector<std::pair<std::string, std::string>> out{
      {"PATH", "/usr/local/bin:/usr/bin:/bin"},
      {"LANG", "C.UTF-8"},
      {"HOME", "/nonexistent"},
      {"HF_HUB_OFFLINE", "1"},
      {"OMP_NUM_THREADS", "1"},
      {"OPENBLAS_NUM_THREADS", "1"},
      {"TOKENIZERS_PARALLELISM", "false"}};
  for (const auto& module : sentence_modules()) {
    std::string name{"BREWERY_"};
    for (const char c : std::string_view{module.name})
      name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    out.emplace_back(name, module.text);
  }
  return out;
}

error not_a_vector(std::size_t index, const std::string& what) {
  return {ec::malformed,
          fmt::format("embedder: the sentence model's vector {} {}", index + 1,
                      what)};
}

result<std::vector<double>> read_vector(const json& numbers, std::size_t index,
                                        std::size_t dimensions) {
  if (!numbers.is_array() || numbers.size() != dimensions)
    return not_a_vector(index,
                        fmt::format("has {} numbers, expected {}",
                                    numbers.is_array() ? numbers.size() : 0,
                                    dimensions));
  std::vector<double> out;
  out.reserve(dimensions);
  double square = 0;
  for (const auto& number : numbers) {
    if (!number.is_number())
      return not_a_vector(index, "has " + single_line(number.dump(), 40)
                                     + " among its numbers");
    out.push_back(number.get<double>());
    square += out.back() * out.back();
  }
  // This form also refuses NaN.
  if (!(std::abs(std::sqrt(square) - 1) <= length_tolerance))
    return not_a_vector(
        index, fmt::format("has the length {}, expected 1", std::sqrt(square)));
  return out;
}

} // namespace

result<vectors> read_vectors(const json& reply, std::size_t texts,
                             std::size_t dimensions) {
  const auto found = reply.find("vectors");
  if (found == reply.end() || !found->is_array() || found->size() != texts)
    return error{ec::malformed,
                 fmt::format("embedder: the sentence model gave {} vectors for "
                             "{} texts",
                             found != reply.end() && found->is_array()
                                 ? found->size()
                                 : 0,
                             texts)};
  vectors out;
  out.reserve(texts);
  for (const auto& numbers : *found) {
    auto one = read_vector(numbers, out.size(), dimensions);
    if (!one) return one.error();
    out.push_back(std::move(*one));
  }
  return out;
}

result<model_settings> settings_of(const embedder_options& options,
                                   child::log_sink log) {
  model_settings out;
  out.file = std::filesystem::absolute(options.model_file);
  auto identity = files_identity(options.model_file);
  if (!identity) return identity.error();
  out.identity = std::move(*identity);
  out.python = options.python;
  out.reply_timeout = milliseconds{options.reply_timeout_ms};
  auto& service = out.service;
  service.name = "sentence model";
  if (log)
    service.log = [log = std::move(log)](const std::string& line) {
      log("sentence model: " + line);
    };
  service.hello_member = "sentence";
  service.start_timeout = milliseconds{options.start_timeout_ms};
  service.command.words = {options.python, "-I",         "-B",
                           "-c",           start_text,   "--model",
                           out.file,       "--identity", out.identity};
  service.command.variables = variables();
  const auto program = child::find_program(service.command);
  if (!program || ::access(program->c_str(), X_OK) != 0)
    return about_option(
        ec::not_found, "embedder.python", options.python,
        fmt::format("there is no such program; {}", interpreter_advice));
  return out;
}

result<model_facts> try_model(const embedder_options& options) {
  const auto settings = settings_of(options);
  if (!settings) return settings.error();
  const auto model = sentence_model::shared(*settings);
  const auto facts = model->about();
  if (!facts) return facts.error();
  const auto tried = model->embed({"hops"});
  if (!tried) return tried.error();
  return facts;
}

sentence_model::sentence_model(model_settings settings)
    : settings_(std::move(settings)), service_(settings_.service) {}

std::shared_ptr<sentence_model>
sentence_model::shared(const model_settings& settings) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<sentence_model>> known;
  const std::lock_guard lock{mutex};
  auto& here = known[settings.identity + ' ' + settings.python + ' '
                     + settings.file.string()];
  auto out = here.lock();
  if (!out) here = out = std::make_shared<sentence_model>(settings);
  return out;
}

std::uint64_t sentence_model::restarts() const {
  const auto started = started_.load();
  return started == 0 ? 0 : started - 1;
}

result<model_facts> sentence_model::about() {
  const std::lock_guard lock{turn_};
  return about_locked();
}

result<model_facts> sentence_model::about_locked() {
  if (facts_) return *facts_;
  const auto hello = service_.hello();
  if (!hello)
    return about_option(hello.error().code, "embedder.python", settings_.python,
                        hello.error().message);
  started_ = service_.incarnation();
  if (hello->contains("refused")) {
    const auto option = hello->value("refused", json{}).dump();
    const auto why = hello->value("why", json{});
    service_.release_children();
    const bool file = option.find("model_file") != std::string::npos;
    return about_option(
        ec::invalid_config, file ? "embedder.model_file" : "embedder.python",
        file ? settings_.file.string() : settings_.python,
        single_line(why.is_string() ? why.get<std::string>() : why.dump(),
                    shown_bytes_max));
  }
  const auto number = [&](const char* name) -> std::size_t {
    const auto found = hello->find(name);
    return found != hello->end() && found->is_number_unsigned()
               ? found->get<std::size_t>()
               : 0;
  };
  model_facts facts{number("dimensions"), number("pieces"), {}};
  if (const auto runtime = hello->find("runtime");
      runtime != hello->end() && runtime->is_string())
    facts.runtime = single_line(runtime->get<std::string>(), shown_bytes_max);
  if (facts.dimensions == 0)
    return error{ec::malformed,
                 "embedder: the sentence model does not say how long its "
                 "vectors are"};
  facts_ = facts;
  return facts;
}

result<vectors> sentence_model::embed(const std::vector<std::string>& texts) {
  const std::lock_guard lock{turn_};
  const auto facts = about_locked();
  if (!facts) return facts.error();
  const json request{{"texts", texts}};
  auto reply = service_.ask(request, settings_.reply_timeout);
  for (int tried = 1; !reply && tried < attempts_max; ++tried) {
    if (reply.error().code != ec::environment) break;
    reply = service_.ask(request, settings_.reply_timeout);
  }
  if (!reply)
    return error{reply.error().code, "embedder: " + reply.error().message};
  if (reply->incarnation > started_) {
    started_ = reply->incarnation;
    if (settings_.service.log)
      settings_.service.log(
          fmt::format("it was started again; {} times by now", restarts()));
  }
  return read_vectors(reply->body, texts.size(), facts->dimensions);
}

} // namespace brewery::sentence
