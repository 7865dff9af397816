#include "run/resume/search_snapshots.hpp"

#include "base/compression.hpp"
#include "base/file.hpp"
#include "messages/wire/codec.hpp"

#include <spdlog/spdlog.h>

#include <iterator>
#include <system_error>
#include <utility>

namespace brewery {

namespace {

/// Others are left out, and the log is read from its start. 2: pools in parts;
/// 3: what is published, and challenges; 4: how long rollouts took; 5: other
/// parts.
constexpr const char* version = "5/" BREWERY_VERSION;

/// All rows of a gather are in memory until its mark.
event_row shrunk(event_row row) {
  row.payload = compress(std::move(row.payload));
  row.compressed = is_compressed(row.payload);
  return row;
}

/// The marks of a snapshot, oldest first.
result<std::vector<search_mark>> marks_of(const event_log& log) {
  std::vector<search_mark> out;
  auto read = log.for_each(
      [&](const event_row& row) -> result<void> {
        if (row.kind != search_mark::type_name) return {};
        auto mark = wire::decode<search_mark>(row.payload);
        if (!mark) return mark.error();
        out.push_back(std::move(*mark));
        return {};
      },
      tree_growth::type_name);
  if (!read) return read.error();
  return out;
}

/// Why a snapshot must not be used; empty: it may be.
std::string unusable(const std::vector<search_mark>& marks,
                     const brew_settings& settings,
                     const std::vector<gather_record>& recorded) {
  if (marks.empty()) return "it is empty";
  const auto& last = marks.back();
  if (last.version != version) return "another version wrote it";
  if (last.fingerprint != settings.fingerprint)
    return "it is of another configuration";
  if (last.gathered.iteration > settings.learner.iterations)
    return "it has more iterations than the run";
  std::size_t known = 0;
  for (const auto& mark : marks)
    known += mark.gathered.iteration < recorded.size()
             && recorded[mark.gathered.iteration] == mark.gathered;
  return known == marks.size() ? "" : "the log has other gathers";
}

/// Visits the rows of the first snapshot but its mark, and reads no others.
result<void> each_until_mark(const event_log& log,
                             const event_log::visitor& visit) {
  for (std::uint64_t seq = 1; seq <= log.last_seq(); ++seq) {
    const auto row = log.read(seq);
    if (!row) return row.error();
    if (row->kind == search_mark::type_name) break;
    if (auto done = visit(*row); !done) return done;
  }
  return {};
}

using tree_map = std::map<concept_id, std::shared_ptr<concept_search>>;

/// The trees of a mark, still without what grew.
result<tree_map> trees_of(const search_mark& mark,
                          const std::shared_ptr<const brew_settings>& settings,
                          const std::shared_ptr<document_store>& documents) {
  tree_map out;
  const auto places = std::make_shared<concept_places>();
  for (const auto& from : mark.trees)
    places->add(from.about, from.centre);
  for (const auto& from : mark.trees) {
    auto tree = concept_search::restored(settings, from, places, documents);
    if (!tree) return tree.error();
    out.emplace(from.about.id,
                std::make_shared<concept_search>(std::move(*tree)));
  }
  return out;
}

result<void> grow(const tree_map& trees, const event_row& row) {
  const auto growth = wire::decode<tree_growth>(row.payload);
  if (!growth) return growth.error();
  const auto tree = trees.find(growth->concept_ref);
  if (tree == trees.end())
    return error{ec::corrupt, "it has growth of an unknown concept"};
  return tree->second->absorb(*growth);
}

std::vector<std::shared_ptr<concept_search>> in_order(const tree_map& trees) {
  std::vector<std::shared_ptr<concept_search>> out;
  for (const auto& [id, tree] : trees)
    out.push_back(tree);
  return out;
}

std::optional<restored_search>
begin_as(const search_start& start,
         const std::shared_ptr<const brew_settings>& settings,
         const std::shared_ptr<document_store>& documents) {
  if (start.mark.fingerprint != settings->fingerprint) return std::nullopt;
  const auto trees = trees_of(start.mark, settings, documents);
  if (!trees) return std::nullopt;
  for (const auto& [id, tree] : *trees) {
    const auto grown = start.grown.find(id);
    if (grown == start.grown.end()) return std::nullopt;
    tree->absorb(grown->second);
  }
  return restored_search{start.mark, {}, in_order(*trees)};
}

/// Gives the trees what grew, and returns what grew of the run.
result<std::vector<run_growth>> fold(const event_log& log,
                                     const tree_map& trees) {
  std::vector<run_growth> seen;
  auto read = log.for_each([&](const event_row& row) -> result<void> {
    if (row.kind == tree_growth::type_name) return grow(trees, row);
    if (row.kind != run_growth::type_name) return {};
    auto growth = wire::decode<run_growth>(row.payload);
    if (!growth) return growth.error();
    seen.push_back(std::move(*growth));
    return {};
  });
  if (!read) return read.error();
  return seen;
}

} // namespace

search_snapshots::search_snapshots(std::filesystem::path folder,
                                   rollouts_of grown)
    : folder_(std::move(folder)), grown_(std::move(grown)) {}

search_snapshots::~search_snapshots() {
  close();
}

void search_snapshots::close() {
  if (writer_.joinable()) writer_.join();
  log_.reset();
}

void search_snapshots::put_aside() {
  log_.reset();
  std::error_code failed;
  std::filesystem::remove_all(folder_, failed);
  failed_ = static_cast<bool>(failed);
}

result<restored_search>
search_snapshots::restore(const std::shared_ptr<const brew_settings>& settings,
                          const std::vector<gather_record>& recorded,
                          const std::shared_ptr<document_store>& documents,
                          const note_seen& known) {
  auto opened = event_log::open(folder_);
  if (!opened) return opened.error();
  auto marks = marks_of(**opened);
  if (!marks) return marks.error();
  if (auto why = unusable(*marks, *settings, recorded); !why.empty())
    return error{ec::corrupt, std::move(why)};
  restored_search out;
  out.mark = std::move(marks->back());
  out.gathers.assign(recorded.begin(),
                     recorded.begin() + out.mark.gathered.iteration + 1);
  const auto trees = trees_of(out.mark, settings, documents);
  if (!trees) return trees.error();
  const auto seen = fold(**opened, *trees);
  if (!seen) return seen.error();
  out.trees = in_order(*trees);
  for (const auto& part : *seen)
    known(part);
  log_ = std::move(*opened);
  return out;
}

std::optional<restored_search>
search_snapshots::load(const std::shared_ptr<const brew_settings>& settings,
                       const std::vector<gather_record>& recorded,
                       const std::shared_ptr<document_store>& documents,
                       const note_seen& known, std::string& why) {
  std::error_code none;
  if (!std::filesystem::exists(folder_, none)) return std::nullopt;
  auto made = restore(settings, recorded, documents, known);
  if (made) return std::move(*made);
  why = made.error().message;
  put_aside();
  return std::nullopt;
}

std::optional<restored_search> search_snapshots::load_start(
    const std::filesystem::path& sibling,
    const std::shared_ptr<const brew_settings>& settings,
    const std::shared_ptr<document_store>& documents) {
  const auto opened = event_log::open_for_reading(sibling);
  if (!opened) return std::nullopt;
  auto marks = marks_of(**opened);
  if (!marks || marks->empty() || marks->front().gathered.iteration != 0
      || marks->front().version != version
      || marks->front().fingerprint != settings->fingerprint)
    return std::nullopt;
  restored_search out;
  out.mark = std::move(marks->front());
  const auto trees = trees_of(out.mark, settings, documents);
  if (!trees) return std::nullopt;
  const auto read = each_until_mark(**opened, [&](const event_row& row) {
    return row.kind == tree_growth::type_name ? grow(*trees, row)
                                              : result<void>{};
  });
  if (!read) return std::nullopt;
  out.trees = in_order(*trees);
  return out;
}

void search_snapshots::keep_start(std::size_t others) {
  const std::lock_guard lock{mutex_};
  starts_wanted_ = others;
  if (others > 0) starting_ = std::make_shared<search_start>();
}

std::shared_ptr<const search_start> search_snapshots::take_start() {
  const std::lock_guard lock{mutex_};
  auto out = start_;
  if (starts_wanted_ > 0 && --starts_wanted_ == 0) start_.reset();
  return out;
}

std::optional<restored_search> search_snapshots::begin_like(
    search_snapshots& other,
    const std::shared_ptr<const brew_settings>& settings,
    const std::shared_ptr<document_store>& documents) {
  const auto kept = other.take_start();
  auto out = kept ? begin_as(*kept, settings, documents)
                  : load_start(other.folder_, settings, documents);
  if (out)
    for (const auto& tree : out->trees)
      tree->give_all_again();
  return out;
}

void search_snapshots::save(concept_search& tree) {
  const auto id = tree.about().id;
  std::vector<event_row> rows;
  for (const auto& part : tree.take_growth())
    rows.push_back(shrunk(event_of(part, std::to_string(id.value))));
  auto saved = tree.saved();
  // Not with the lock: trees are saved side by side.
  auto grown = is_starting() ? std::optional{tree.grown()} : std::nullopt;
  const std::lock_guard lock{mutex_};
  std::move(rows.begin(), rows.end(), std::back_inserter(rows_));
  trees_.insert_or_assign(id, std::move(saved));
  if (grown && starting_)
    starting_->grown.insert_or_assign(id, std::move(*grown));
}

bool search_snapshots::is_starting() {
  const std::lock_guard lock{mutex_};
  return starting_ != nullptr;
}

void search_snapshots::mark(search_mark at) {
  at.version = version;
  std::vector<event_row> rows;
  {
    const std::lock_guard lock{mutex_};
    rows = std::exchange(rows_, {});
    for (auto& [id, tree] : trees_)
      at.trees.push_back(std::move(tree));
    trees_.clear();
    if (starting_) {
      starting_->mark = at;
      if (at.gathered.iteration == 0) start_ = std::move(starting_);
      starting_.reset();
    }
  }
  for (const auto& part : grown_())
    rows.push_back(event_of(part, ""));
  rows.push_back(event_of(at, std::to_string(at.gathered.iteration)));
  if (writer_.joinable()) writer_.join();
  // Shared, because a thread copies what it runs.
  const auto write = [this,
                      written = std::make_shared<const std::vector<event_row>>(
                          std::move(rows))] {
    append(*written);
    if (written_) written_();
  };
  try {
    writer_ = std::thread{write};
  } catch (const std::system_error&) { // the machine has no thread left
    write();
  }
}

result<void> search_snapshots::begin() {
  // Not the run's own: it may have been moved away.
  for (const auto& folder : {folder_.parent_path(), folder_}) {
    std::error_code failed;
    std::filesystem::create_directory(folder, failed);
    if (failed) return file_error(failed.value(), "create directory", folder);
  }
  auto made = event_log::create(folder_);
  if (!made) return made.error();
  log_ = std::move(*made);
  return {};
}

void search_snapshots::append(const std::vector<event_row>& rows) {
  if (failed_) return;
  const auto write = [&]() -> result<void> {
    if (!log_)
      if (auto ok = begin(); !ok) return ok;
    return log_->append(rows);
  };
  const auto written = write();
  if (written) return;
  // The run does not need it. Later growth without this one would be useless.
  spdlog::warn("snapshot_failed folder={} {}; a restart will execute the "
               "search again",
               folder_.string(), written.error().message);
  put_aside();
  failed_ = true;
}

} // namespace brewery
