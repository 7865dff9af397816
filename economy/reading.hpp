#pragma once
/// What an agent reads of the documents that its retrievals show it. Each agent
/// declares this itself. The coordinator replays a rollout's retrievals with
/// the same code, so the two cannot differ. PURE.

#include "kb/document.hpp"

#include <memory>
#include <string>
#include <vector>

namespace brewery {

/// The reading of one rollout, retrieval by retrieval.
class reading {
public:
  reading() = default;
  reading(const reading&) = delete;
  reading& operator=(const reading&) = delete;
  virtual ~reading() = default;

  /// What the agent learns from the next retrieval, as text: if it equals that
  /// of another rollout, and so did all before it, the two agents know the
  /// same. Empty: nothing new.
  virtual std::string next(const std::vector<const document*>& shown) = 0;
};

/// How an agent reads. Immutable, shared by all threads.
class reader {
public:
  reader() = default;
  reader(const reader&) = delete;
  reader& operator=(const reader&) = delete;
  virtual ~reader() = default;

  [[nodiscard]] virtual std::unique_ptr<reading> begin() const = 0;

  /// Whether the agent says when it begins to draw
  /// (`rollout_result::before_draw`). If not, each trial is a sample by itself.
  [[nodiscard]] virtual bool knows_draws() const { return false; }
};

/// Every document that is shown, with its place: the reader of a model.
std::shared_ptr<const reader> whole_documents();

/// Nothing: the reader of an agent that ignores what it is shown.
std::shared_ptr<const reader> no_documents();

} // namespace brewery
