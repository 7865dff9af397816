#pragma once
/// What is checked before a run begins, or before a run on record is changed.

#include "run/setup/job_runner_factory.hpp"
#include "run/setup/problem.hpp"
#include "run/setup/run_models.hpp"
#include "store/run_directory.hpp"

namespace brewery {

/// Workers don't see model names or goldens, but both affect results, so they
/// join the fingerprints.
fingerprints fingerprints_of(const configured_runner& shop,
                             const run_models& models, const problem& what);

/// Starts the embedder's sentence model and asks it once. For an embedder of
/// another kind there is nothing to check.
result<void> check_sentence_model(const embedder_options& options);

/// Whether prompts, and the rubrics of a judge on a model, can be used. Error
/// ec::invalid_config names the file.
result<void> check_texts(const config& options);

/// Whether what a learner begins with can be read, and the program of a memory
/// beside it is there. For a run that has not begun: what they say is on record
/// then.
result<void> check_learners(const config& options);

/// Whether the memory that a run asks, if it asks one, starts and is the
/// package that the options say: a run keeps that name, and is paid before it
/// is asked.
result<void> check_memory(const config& options);

/// Whether a run asks the memory behind the memory port.
bool asks_memory(const config& options);

/// Whether the texts that roles send can be used, and servers, keys, recording,
/// the sentence model and the metrics address work that a run needs. For use
/// before anything is written.
result<void> can_begin(const config& options,
                       const std::filesystem::path& replay);

/// Whether the run on record is the one that these options and this data make
/// now. For use before anything of it is changed. Error: that of
/// `check_fingerprint`.
result<void> can_go_on(const run_directory& directory, const config& options,
                       const problem& what,
                       const std::filesystem::path& replay = {});

/// Whether the runs in economy.reuse_from are ones whose rollouts may stand in
/// a run that begins with these options. For use before it has a directory.
result<void> can_reuse(const config& options, const problem& what,
                       const std::filesystem::path& replay);

} // namespace brewery
