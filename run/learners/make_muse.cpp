#include "run/learners/make_muse.hpp"

#include "base/printable.hpp"
#include "kb/muse/memory_text.hpp"
#include "learners/muse/muse_learner.hpp"
#include "store/folder.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

result<muse::memory> memory_in(const std::string& directory) {
  muse::memory out;
  if (directory.empty()) return out;
  const auto folder = read_knowledge_base(directory);
  if (!folder) return folder.error();
  for (const auto& entry : folder->kb.entries())
    if (auto ok = muse::read_document(entry.doc->body, out); !ok)
      return error{ec::invalid_config,
                   fmt::format("muse.memory: \"{}\" in {} is no document of a "
                               "memory: {}",
                               single_line(entry.title), directory,
                               ok.error().message)};
  return out;
}

} // namespace

result<std::unique_ptr<learner>>
make_muse(const config& options, const problem& what,
          const fingerprints& prints,
          std::shared_ptr<document_store> documents) {
  auto playing = evaluation_settings(options, what, prints);
  if (!playing) return playing.error();
  auto first = memory_in(options.muse.memory);
  if (!first) return first.error();
  muse::muse_settings settings;
  settings.playing = std::move(*playing);
  settings.how = options.muse;
  settings.distils = options.integrator.kind != "llm";
  if (!settings.distils) settings.refiner = prints.whole;
  settings.first = std::move(*first);
  settings.documents = std::move(documents);
  return std::unique_ptr<learner>{
      std::make_unique<muse::muse_learner>(std::move(settings))};
}

} // namespace brewery
