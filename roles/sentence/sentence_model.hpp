#pragma once
/// A sentence model in a child process (python/sentence_server.py), shared by
/// all slots. It starts at the first request, and again after it ended or hung.
/// Thread-safe: requests take turns, so a deadline is that of one request.

#include "process/service_process.hpp"
#include "roles/options.hpp"

#include <memory>
#include <mutex>

namespace brewery::sentence {

using vectors = std::vector<std::vector<double>>;

struct model_facts {
  std::size_t dimensions = 0; ///< of a vector
  std::size_t pieces = 0;     ///< of a longer text, only so many count
  std::string runtime;        ///< versions, for people
};

struct model_settings {
  std::filesystem::path file;
  std::string identity; ///< of its files; they are refused if it is another
  std::string python;
  child::service_options service;
  std::chrono::milliseconds reply_timeout{};
};

/// What an `[embedder]` of kind sentence asks for. Errors name the option: a
/// file or an interpreter is missing. Starts nothing.
result<model_settings> settings_of(const embedder_options& options,
                                   child::log_sink log = {});

/// Starts the model, asks it for one vector and ends it, if nobody else uses
/// it. For checks before a run.
result<model_facts> try_model(const embedder_options& options);

class sentence_model {
public:
  explicit sentence_model(model_settings settings);

  /// The one of this process with the same files and interpreter, or a new one.
  static std::shared_ptr<sentence_model> shared(const model_settings& settings);

  /// Starts it if needed. Errors name the option and say what to do.
  result<model_facts> about();

  /// One request. A service that ended or hung is started again and asked
  /// once more. Errors: ec::environment if that failed too; ec::malformed if
  /// what it answers is no list of unit vectors of the model's length.
  result<vectors> embed(const std::vector<std::string>& texts);

  /// How often it was started again.
  [[nodiscard]] std::uint64_t restarts() const;
  [[nodiscard]] const std::string& identity() const {
    return settings_.identity;
  }

private:
  result<model_facts> about_locked();

  const model_settings settings_;
  child::service_process service_;
  std::mutex turn_;
  std::optional<model_facts> facts_;       ///< guarded by turn_
  std::atomic<std::uint64_t> started_ = 0; ///< the newest incarnation seen
};

/// Reads a reply; pure. Errors: ec::malformed, in one line.
result<vectors> read_vectors(const json& reply, std::size_t texts,
                             std::size_t dimensions);

} // namespace brewery::sentence
