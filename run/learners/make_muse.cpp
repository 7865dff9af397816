#include "run/learners/make_muse.hpp"

#include "base/printable.hpp"
#include "kb/muse/memory_text.hpp"
#include "learners/muse/muse_learner.hpp"
#include "store/files.hpp"
#include "store/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace brewery {

namespace {

namespace fs = std::filesystem;

/// Where a document of a folder is: its file, and the lines above it there.
struct document_place {
  std::string file;
  std::size_t lines_above = 0; ///< of front matter
};

/// A folder does not say which file an entry is from, but a file ends with its
/// document as it is. Without one: the folder.
document_place place_of(const std::string& directory, const std::string& body) {
  document_place out{directory, 0};
  std::error_code failed;
  for (fs::recursive_directory_iterator it{directory, failed}, end;
       !failed && it != end; it.increment(failed)) {
    if (it->path().extension() != ".md") continue;
    const auto text = read_text_file(it->path());
    if (!text || !text->ends_with(body)) continue;
    const auto above = text->size() - body.size();
    if (above > 0 && (*text)[above - 1] != '\n') continue;
    out.file = it->path().string();
    out.lines_above = static_cast<std::size_t>(std::count(
        text->begin(), text->end() - static_cast<std::ptrdiff_t>(body.size()),
        '\n'));
    break;
  }
  return out;
}

/// "FILE:LINE: ..." if the error says "line N: ..." of a document, else
/// "FILE: ...".
error wrong_memory(const std::string& directory, const kb_entry& entry,
                   const error& why) {
  constexpr std::string_view mark = "line ";
  const auto place = place_of(directory, entry.doc->body);
  auto where = single_line(place.file);
  std::string_view what = why.message;
  std::size_t line = 0;
  if (what.starts_with(mark)) {
    const auto* last = what.data() + what.size();
    const auto read = std::from_chars(what.data() + mark.size(), last, line);
    if (std::string_view{read.ptr, last}.starts_with(": ")) {
      where += fmt::format(":{}", place.lines_above + line);
      what = {read.ptr + 2, last};
    }
  }
  return {ec::invalid_config,
          fmt::format("muse.memory: {}: no document of a memory: {}; mend it "
                      "or name the kb/ of a run of muse",
                      where, what)};
}

result<muse::memory> memory_in(const std::string& directory) {
  muse::memory out;
  if (directory.empty()) return out;
  const auto folder = read_knowledge_base(directory);
  if (!folder)
    return error{folder.error().code, "muse.memory: " + folder.error().message};
  for (const auto& entry : folder->kb.entries())
    if (auto ok = muse::read_document(entry.doc->body, out); !ok)
      return wrong_memory(directory, entry, ok.error());
  return out;
}

} // namespace

result<void> check_muse(const config& options) {
  if (options.muse.iterations == 0 && options.muse.memory.empty())
    return error{ec::invalid_config,
                 "muse.iterations = 0: a memory that does not learn needs "
                 "something to begin with: set muse.memory"};
  const auto first = memory_in(options.muse.memory);
  if (!first) return first.error();
  return {};
}

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
