#include "envs/tau2/data/records.hpp"

#include "base/hash.hpp"
#include "envs/tau2/data/task_fields.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <unordered_map>

namespace brewery::tau2 {

namespace {

constexpr auto nowhere = static_cast<std::size_t>(-1);

struct text_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

void append_row(std::string& out, const record_table::row& row) {
  append_json(out, std::string_view{row.first});
  out += ": ";
  append_json(out, *row.second, key_order::sorted);
}

bool same_number(const json& a, const json& b) {
  if (a.is_number_float() != b.is_number_float()) return false;
  if (!a.is_number_float()) return a == b;
  const auto x = a.get<double>(), y = b.get<double>();
  // Compares bits: 0.0 and -0.0 have different texts, all NaN the same.
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y)
         || (std::isnan(x) && std::isnan(y));
}

/// Members usually have the same position; searches only if not.
bool same_members(const json& a, const json& b) {
  if (a.size() != b.size()) return false;
  auto beside = b.begin();
  for (auto it = a.begin(); it != a.end(); ++it, ++beside) {
    const auto other = beside.key() == it.key() ? beside : b.find(it.key());
    if (other == b.end() || !same_dump(*it, *other)) return false;
  }
  return true;
}

} // namespace

/// The texts of the file's rows: a row that a table still shares with the file
/// is not dumped again. They are made when a hash is first requested, which
/// grading never does.
struct record_table::origin {
  explicit origin(const std::vector<row>& given) : rows(given) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool added = index.emplace(rows[i].first, i).second;
      BREWERY_ASSERT(added);
      sorted.push_back(i);
    }
    std::sort(sorted.begin(), sorted.end(),
              [this](auto a, auto b) { return rows[a].first < rows[b].first; });
  }

  const std::string& text(std::size_t i) const {
    std::call_once(dumped, [this] {
      texts.resize(rows.size());
      for (std::size_t k = 0; k < rows.size(); ++k)
        append_row(texts[k], rows[k]);
    });
    return texts[i];
  }

  std::vector<row> rows;
  std::unordered_map<std::string, std::size_t, text_hash, std::equal_to<>>
      index;
  std::vector<std::size_t> sorted; ///< positions, by id
  mutable std::once_flag dumped;
  mutable std::vector<std::string> texts;
};

record_table::record_table() : record_table({}, {}) {}

record_table::record_table(std::string name, std::vector<row> rows)
    : name_(std::move(name)), rows_(std::move(rows)),
      origin_(std::make_shared<const origin>(*rows_)) {}

std::size_t record_table::position(std::string_view id) const {
  const auto at = origin_->index.find(id);
  if (at != origin_->index.end()) return at->second;
  // Few rows are added, so a scan is fast.
  for (std::size_t i = origin_->rows.size(); i < rows_->size(); ++i)
    if ((*rows_)[i].first == id) return i;
  return nowhere;
}

const json* record_table::find(std::string_view id) const {
  const std::size_t i = position(id);
  return i == nowhere ? nullptr : &*(*rows_)[i].second;
}

json* record_table::edit(std::string_view id) {
  const std::size_t i = position(id);
  return i == nowhere ? nullptr : &rows_.edit()[i].second.edit();
}

void record_table::add(std::string id, json value) {
  BREWERY_ASSERT(position(id) == nowhere);
  rows_.edit().emplace_back(std::move(id), cow<json>{std::move(value)});
}

bool record_table::same(const record_table& other) const {
  if (rows_.shares_with(other.rows_)) return true;
  if (rows_->size() != other.rows_->size()) return false;
  for (std::size_t i = 0; i < rows_->size(); ++i) {
    const auto& [id, record] = (*rows_)[i];
    const row& beside = (*other.rows_)[i];
    if (record.shares_with(beside.second) && id == beside.first) continue;
    const json* found = id == beside.first ? &*beside.second : other.find(id);
    if (found == nullptr || !same_dump(*record, *found)) return false;
  }
  return true;
}

void record_table::append_dump(std::string& out) const {
  // Rows of the file never move; added rows follow them.
  const std::size_t given = origin_->rows.size();
  std::vector<std::size_t> order = origin_->sorted;
  for (std::size_t i = given; i < rows_->size(); ++i)
    order.insert(std::upper_bound(order.begin(), order.end(), i,
                                  [this](auto a, auto b) {
                                    return (*rows_)[a].first
                                           < (*rows_)[b].first;
                                  }),
                 i);
  out += '{';
  bool first = true;
  for (const std::size_t i : order) {
    if (!first) out += ", ";
    first = false;
    const row& here = (*rows_)[i];
    if (i < given && here.second.shares_with(origin_->rows[i].second))
      out += origin_->text(i);
    else
      append_row(out, here);
  }
  out += '}';
}

const record_table& record_db::table(std::string_view name) const {
  const auto at =
      std::find_if(tables.begin(), tables.end(),
                   [name](const record_table& t) { return t.name() == name; });
  BREWERY_ASSERT(at != tables.end());
  return *at;
}

record_table& record_db::table(std::string_view name) {
  return const_cast<record_table&>(std::as_const(*this).table(name));
}

result<record_db>
parse_records(const text_file& file,
              const std::vector<std::pair<std::string, record_model>>& tables) {
  const auto refuse = [&file](std::string_view what) {
    return error{ec::malformed, fmt::format("{}: {}", file.name, what)};
  };
  json document;
  try {
    document = json::parse(file.text);
  } catch (const json::parse_error& broken) {
    return not_json(file, broken);
  } catch (const json::exception& broken) {
    return refuse(broken.what());
  }
  if (!document.is_object()) return refuse("must be an object of tables");
  record_db db;
  for (const auto& [name, model] : tables) {
    const auto records = document.find(name);
    if (records == document.end() || !records->is_object())
      return refuse(fmt::format("{} is missing or not an object of records",
                                json_quoted(name)));
    std::vector<record_table::row> rows;
    rows.reserve(records->size());
    for (const auto& [id, value] : records->items()) {
      auto record = model(value);
      if (!record)
        return refuse(fmt::format("{} {}: {}", name, json_quoted(id),
                                  record.error().message));
      rows.emplace_back(id, cow<json>{std::move(*record)});
    }
    db.tables.emplace_back(name, std::move(rows));
  }
  return db;
}

bool same_dump(const json& a, const json& b) {
  if (a.is_number() && b.is_number()) return same_number(a, b);
  if (a.type() != b.type()) return false;
  if (a.is_object()) return same_members(a, b);
  if (a.is_array())
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_dump);
  return a == b;
}

std::string database_hash(const record_db& db) {
  std::vector<const record_table*> order;
  for (const auto& table : db.tables)
    order.push_back(&table);
  std::sort(order.begin(), order.end(),
            [](auto a, auto b) { return a->name() < b->name(); });
  std::string text = "{";
  for (const auto* table : order) {
    if (text.size() > 1) text += ", ";
    append_json(text, std::string_view{table->name()});
    text += ": ";
    table->append_dump(text);
  }
  return sha256_hex(text += '}');
}

bool same_database(const record_db& a, const record_db& b) {
  return std::equal(a.tables.begin(), a.tables.end(), b.tables.begin(),
                    b.tables.end(),
                    [](const record_table& x, const record_table& y) {
                      return x.name() == y.name() && x.same(y);
                    });
}

} // namespace brewery::tau2
