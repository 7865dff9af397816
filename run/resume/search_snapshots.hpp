#pragma once
/// The snapshots of a run's searches (ADR 0022): for each strategy a log of its
/// own below `snapshots/`, with what grew between gathers. A shortcut, never a
/// truth: what is damaged, of another version or not what the run's log says is
/// put aside, and the search is executed again from the log. Owned by the run's
/// executor.

#include "coordinator/search_saver.hpp"
#include "store/event_log.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace brewery {

/// A search as its last snapshot has it.
struct restored_search {
  search_mark mark;
  std::vector<gather_record> gathers;                 ///< all, oldest first
  std::vector<std::shared_ptr<concept_search>> trees; ///< in concept order
};

/// How a search stands at its first gather.
struct search_start {
  search_mark mark;
  std::map<concept_id, concept_search::all_growth> grown;
};

class search_snapshots : public search_saver {
public:
  using rollouts_of = std::function<std::vector<run_growth>()>;
  using note_seen = std::function<void(const run_growth&)>;

  /// `grown` returns the rollouts that came since its last call. Creates the
  /// folder at the first gather.
  search_snapshots(std::filesystem::path folder, rollouts_of grown);
  ~search_snapshots() override;

  /// Empty if there is no usable snapshot; `why` then says what is wrong with
  /// the one that is there. `known` gets the run's rollouts.
  std::optional<restored_search>
  load(const std::shared_ptr<const brew_settings>& settings,
       const std::vector<gather_record>& recorded,
       const std::shared_ptr<document_store>& documents, const note_seen& known,
       std::string& why);

  /// So many other searches of the run will `begin_like` this one: how it
  /// stands at its first gather is kept in memory until all have, or as long as
  /// this is there. Before the search begins.
  void keep_start(std::size_t others);

  /// Another search of the run after its first gather: whatever the strategy,
  /// all searches of a run stand alike there. From what `other` keeps, else
  /// from its folder; empty if that has nothing either. What it held then is
  /// saved here with the next mark. It may go on and save meanwhile. Both have
  /// the same `documents`.
  std::optional<restored_search>
  begin_like(search_snapshots& other,
             const std::shared_ptr<const brew_settings>& settings,
             const std::shared_ptr<document_store>& documents);

  /// To be called once a mark is written, or cannot be, on any thread. Before
  /// the search begins.
  void when_written(std::function<void()> then) { written_ = std::move(then); }

  /// Returns when all is written. Nothing may be saved any more.
  void close();

  // Of `search_saver`; from any thread.
  void save(concept_search& tree) override;
  void mark(search_mark at) override;

private:
  result<restored_search>
  restore(const std::shared_ptr<const brew_settings>& settings,
          const std::vector<gather_record>& recorded,
          const std::shared_ptr<document_store>& documents,
          const note_seen& known);
  bool is_starting();
  std::shared_ptr<const search_start> take_start();
  static std::optional<restored_search>
  load_start(const std::filesystem::path& sibling,
             const std::shared_ptr<const brew_settings>& settings,
             const std::shared_ptr<document_store>& documents);
  void put_aside();
  result<void> begin();
  void append(const std::vector<event_row>& rows);

  std::filesystem::path folder_;
  rollouts_of grown_;
  std::function<void()> written_; ///< may be empty
  std::mutex mutex_;              ///< of what follows until the log
  std::vector<event_row> rows_;
  std::map<concept_id, saved_tree> trees_;
  std::size_t starts_wanted_ = 0;
  std::shared_ptr<search_start> starting_;    ///< until the first mark
  std::shared_ptr<const search_start> start_; ///< until all have begun
  std::unique_ptr<event_log> log_;            ///< of the writer while it runs
  bool failed_ = false;                       ///< nothing is written any more
  std::thread writer_;
};

} // namespace brewery
