#pragma once
/// The Markdown text of one concept: immutable and content-addressed. Its
/// identity is the hash of its body. Title, reward and evidence are not part of
/// it: they are in the manifest and in the front matter of exported files.

#include "base/hash.hpp"
#include "base/ids.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace brewery {

struct document {
  doc_hash hash;
  std::string body;
};

inline document make_document(std::string body) {
  doc_hash hash{content_hash(body)};
  return {std::move(hash), std::move(body)};
}

/// The documents of one process by hash, shared by trees and workers. Only
/// grows. Thread-safe.
class document_store {
public:
  /// Adds a body, if it is new, and returns the shared document.
  std::shared_ptr<const document> add(std::string body) {
    auto doc = std::make_shared<const document>(make_document(std::move(body)));
    const std::lock_guard lock{mutex_};
    return documents_.try_emplace(doc->hash, doc).first->second;
  }

  /// Null if the hash is unknown.
  std::shared_ptr<const document> find(const doc_hash& hash) const {
    const std::lock_guard lock{mutex_};
    const auto it = documents_.find(hash);
    return it == documents_.end() ? nullptr : it->second;
  }

private:
  mutable std::mutex mutex_;
  std::unordered_map<doc_hash, std::shared_ptr<const document>> documents_;
};

} // namespace brewery
