#pragma once
/// Makes the retriever that a configuration asks for: for rollouts and for
/// `brewery kb search` alike.

#include "kb/knowledge_base.hpp"
#include "roles/options.hpp"
#include "roles/text_vectors.hpp"

namespace brewery {

/// By entry of the knowledge base; empty ones of blank documents.
using document_vectors = std::vector<text_vectors::vector>;

/// Embeds the documents that are not known yet, for the context's job.
result<document_vectors> vectors_of(const knowledge_base& kb,
                                    const text_vectors& known,
                                    const job_context& asker);

/// A retriever whose index i is entry i of the knowledge base. `vectors` may be
/// empty for kind bm25. Errors ec::invalid_argument: vectors of two lengths, or
/// numbers that are not finite.
result<std::shared_ptr<const retriever>>
make_retriever(const knowledge_base& kb, const retrieval_options& options,
               const document_vectors& vectors);

/// "kind=hybrid/1 fusion=60/1/1": its part in the key of every rollout, beside
/// that of BM25; empty for kind bm25.
std::string fingerprint(const retrieval_options& options);

} // namespace brewery
