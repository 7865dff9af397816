#include "learners/brew/told_pool.hpp"

#include "base/compression.hpp"
#include "base/hash.hpp"
#include "learners/brew/protocol6_parts.hpp"
#include "messages/wire/codec.hpp"

#include <mutex>

namespace brewery {

namespace {

bool is_empty(const pool_growth& growth) {
  return growth.rollouts.empty() && growth.insights.ids.empty()
         && growth.made.empty();
}

/// The encoded growth.
result<std::string> unpacked(const std::string& part) {
  if (!is_compressed(part)) return part;
  return decompress(part, wire::max_message_bytes);
}

result<void> absorb(insight_pool& pool, const std::string& encoded) {
  if (const auto growth = wire::decode<pool_growth>(encoded))
    return pool.absorb(*growth);
  const auto old = growth_of_protocol6(encoded);
  return old ? pool.absorb(*old) : old.error();
}

std::optional<std::uint32_t> parent_of(const pool_reference& reference) {
  if (reference.parent.empty()) return std::nullopt;
  return reference.parent.front();
}

} // namespace

result<std::vector<counted_insight>> list_of(const pool_reference& reference,
                                             const document_store& documents) {
  insight_pool pool;
  for (const auto& hash : reference.parts) {
    const auto part = documents.find(hash);
    if (!part)
      return error{ec::not_found,
                   "part " + hash.value + " of the insights is not here"};
    const auto encoded = unpacked(part->body);
    if (!encoded) return encoded.error();
    if (auto ok = absorb(pool, *encoded); !ok) return ok.error();
  }
  return for_integration(pool.list(reference.groups, parent_of(reference)));
}

/// Lists the pool as long as it stays as it was told, then its parts.
class told_pool::pool_list final : public told_insights::source {
public:
  pool_list(pool_reference reference, std::shared_ptr<const insight_pool> pool,
            std::shared_ptr<const document_store> documents)
      : source(std::move(reference)), pool_(std::move(pool)),
        documents_(std::move(documents)) {}

  /// The pool changes: waits for a list that is being made.
  void leave_pool() {
    const std::lock_guard lock{mutex_};
    pool_.reset();
  }

private:
  [[nodiscard]] std::vector<counted_insight> make() const override {
    const std::lock_guard lock{mutex_};
    if (pool_)
      return for_integration(
          pool_->list(reference().groups, parent_of(reference())));
    auto list = list_of(reference(), *documents_);
    BREWERY_ASSERT(list.has_value()); // the store only grows
    return std::move(*list);
  }

  mutable std::mutex mutex_;
  std::shared_ptr<const insight_pool> pool_; ///< null: it has changed
  std::shared_ptr<const document_store> documents_;
};

told_pool::told_pool() : pool_(std::make_shared<insight_pool>()) {}

told_pool::told_pool(const told_pool& other)
    : pool_(std::make_shared<insight_pool>(*other.pool_)), parts_(other.parts_),
      digest_(other.digest_), parts_given_(other.parts_given_) {}

told_pool& told_pool::operator=(const told_pool& other) {
  if (this != &other) *this = told_pool{other};
  return *this;
}

insight_pool& told_pool::change() {
  for (const auto& told : told_)
    if (const auto list = told.lock()) list->leave_pool();
  told_.clear();
  return *pool_;
}

void told_pool::know(const std::string& content, std::string packed,
                     document_store& documents) {
  hash_input in;
  in.add(digest_).add(content);
  digest_ = in.content();
  parts_.push_back(documents.add(std::move(packed)));
}

void told_pool::pack_growth(document_store& documents) {
  pool_->take_growth([&](const pool_growth& growth) {
    if (is_empty(growth)) return;
    auto encoded = wire::encode(growth);
    const auto content = content_hash(encoded);
    know(content, compress(std::move(encoded)), documents);
  });
}

told_insights
told_pool::tell(insight_groups groups, std::optional<std::uint32_t> parent,
                const std::shared_ptr<document_store>& documents) {
  pack_growth(*documents);
  pool_reference reference{digest_, {}, std::move(groups), {}};
  for (const auto& part : parts_)
    reference.parts.push_back(part->hash);
  if (parent) reference.parent.push_back(*parent);
  auto list =
      std::make_shared<pool_list>(std::move(reference), pool_, documents);
  told_.push_back(list);
  return told_insights{std::move(list)};
}

std::vector<std::string> told_pool::take_parts(document_store& documents) {
  pack_growth(documents);
  std::vector<std::string> out;
  for (; parts_given_ < parts_.size(); ++parts_given_)
    out.push_back(parts_[parts_given_]->body);
  return out;
}

result<void> told_pool::absorb(std::string part, document_store& documents) {
  const auto encoded = unpacked(part);
  if (!encoded) return encoded.error();
  if (auto ok = brewery::absorb(change(), *encoded); !ok) return ok;
  know(content_hash(*encoded), std::move(part), documents);
  parts_given_ = parts_.size();
  return {};
}

} // namespace brewery
