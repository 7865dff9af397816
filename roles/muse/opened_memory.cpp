#include "roles/muse/opened_memory.hpp"

namespace brewery {

result<opened_memory> opened_memory::of(retrieval_session& session) {
  opened_memory out{session};
  const auto& documents = session.documents();
  for (std::size_t i = 0; i < documents.size(); ++i) {
    muse::memory own;
    if (auto ok = muse::read_document(documents[i]->body, own); !ok)
      return error{ec::malformed, "document " + documents[i]->hash.value + ": "
                                      + ok.error().message};
    if (own.procedures.empty())
      out.standing_.push_back(i);
    else
      out.places_[own.procedures.front().application] = i;
    if (auto ok = muse::read_document(documents[i]->body, out.all_); !ok)
      return ok.error();
  }
  return out;
}

const document* opened_memory::open(const std::string& application,
                                    std::uint32_t step) {
  const auto at = places_.find(application);
  if (at == places_.end() || !open_.insert(application).second) return nullptr;
  return session_->open("open " + application, {at->second}, step).front();
}

void opened_memory::read_standing() {
  if (!standing_.empty()) session_->open("outline", standing_, 0);
}

bool opened_memory::add(memory_operation what) {
  if (!muse::merge(all_, {what}).refused.empty()) return false;
  added_.push_back(std::move(what));
  return true;
}

} // namespace brewery
