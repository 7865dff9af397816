#pragma once
/// Makes jobs that embed texts. What an embedder makes of a text depends on the
/// embedder, and runs of a group do equal jobs once: so its key is in the id.

#include "base/hash.hpp"
#include "messages/kb_msgs.hpp"

#include <string>
#include <utility>
#include <vector>

namespace brewery {

/// `embedder` is its key; empty: the default one, whose ids are those of older
/// logs.
inline embed_job make_embed_job(std::vector<std::string> texts,
                                const std::string& embedder) {
  embed_job out;
  out.texts = std::move(texts);
  out.id = identity(out);
  if (!embedder.empty())
    out.id = {hash_input{}.add(out.id.value).add(embedder).content()};
  return out;
}

} // namespace brewery
