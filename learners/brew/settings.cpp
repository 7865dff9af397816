#include "learners/brew/settings.hpp"

#include "messages/embed_jobs.hpp"

#include <algorithm>

namespace brewery {

namespace {

const std::string& key_of(const brew_settings& settings, bool reflect) {
  const auto& part = reflect ? settings.reflecting : settings.playing;
  return part.empty() ? settings.fingerprint : part;
}

} // namespace

rollout_job make_rollout_job(const brew_settings& settings, const task_id& task,
                             std::uint32_t trial,
                             const std::vector<doc_ref>& knowledge,
                             bool reflect) {
  rollout_job work{{},
                   task,
                   trial,
                   settings.seed,
                   knowledge,
                   reflect,
                   key_of(settings, reflect),
                   settings.method};
  work.id = identity(work);
  return work;
}

std::vector<embed_job> make_embed_jobs(const std::vector<std::string>& texts,
                                       const std::string& embedder) {
  constexpr std::size_t max_texts = 1000; // 27 MB of 3072 numbers each
  std::vector<embed_job> out;
  for (std::size_t begin = 0; begin < texts.size(); begin += max_texts) {
    const auto end = std::min(begin + max_texts, texts.size());
    const auto first = texts.begin();
    out.push_back(make_embed_job({first + static_cast<std::ptrdiff_t>(begin),
                                  first + static_cast<std::ptrdiff_t>(end)},
                                 embedder));
  }
  return out;
}

} // namespace brewery
