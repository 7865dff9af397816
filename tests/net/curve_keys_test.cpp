#include "net/curve_keys.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <set>
#include <sys/stat.h>

using namespace brewery;

namespace {

namespace fs = std::filesystem;

void write_with_folder(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream{file, std::ios::binary} << text;
}

unsigned mode_of(const fs::path& file) {
  struct stat about {};
  REQUIRE(::stat(file.c_str(), &about) == 0);
  return about.st_mode & 0777u;
}

} // namespace

TEST_CASE("a new key is a pair that is read back, secret to its owner") {
  const scratch folder;
  const key_directory keys{folder.path() / "deep" / "keys"};
  const auto made = keys.create("w1", peer_kind::worker);
  REQUIRE(made);
  CHECK(made->name == "w1");
  CHECK_FALSE(made->revoked);
  const auto pair = read_key_file(keys.key_file("w1"));
  REQUIRE(pair);
  CHECK(pair->public_key == made->public_key);
  CHECK(pair->secret_key != pair->public_key);
  CHECK(mode_of(keys.key_file("w1")) == 0600);
  const auto open = read_public_keys(keys.public_file("w1"));
  REQUIRE(open);
  CHECK(*open == std::vector<std::string>{pair->public_key});
}

TEST_CASE("a key file that anyone else can touch is refused") {
  const scratch folder;
  const key_directory keys{folder.path()};
  REQUIRE(keys.create("w", peer_kind::worker));
  const auto file = keys.key_file("w");
  for (const unsigned mode :
       {0640u, 0604u, 0644u, 0620u, 0610u, 0666u, 0601u}) {
    INFO(std::oct << mode);
    REQUIRE(::chmod(file.c_str(), mode) == 0);
    const auto got = read_key_file(file);
    REQUIRE_FALSE(got);
    CHECK(got.error().message.find("chmod 600") != std::string::npos);
  }
  for (const unsigned mode : {0600u, 0400u}) {
    REQUIRE(::chmod(file.c_str(), mode) == 0);
    CHECK(read_key_file(file).has_value());
  }
}

TEST_CASE("a file that is no key file is refused without quoting a secret") {
  const scratch folder;
  const auto good = make_curve_pair();
  const auto file = folder.path() / "k.key";
  for (const auto& text :
       {std::string{}, "secret " + good.secret_key + "\n",
        "public " + good.public_key + "\n",
        "public " + good.public_key + "\nsecret " + good.secret_key + "x\n",
        good.public_key + "\n" + good.secret_key + "\n",
        "public " + good.public_key.substr(1) + "\nsecret "
            + good.secret_key}) {
    INFO(text);
    write_with_folder(file, text);
    REQUIRE(::chmod(file.c_str(), 0600) == 0);
    const auto got = read_key_file(file);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::malformed);
    CHECK(got.error().message.find(good.secret_key) == std::string::npos);
  }
  CHECK(read_key_file(folder.path() / "none.key").error().code
        == ec::not_found);
}

TEST_CASE("a new key is let in unless it is a coordinator's") {
  const scratch folder;
  const key_directory keys{folder.path()};
  const auto worker = keys.create("w", peer_kind::worker);
  const auto person = keys.create("alice", peer_kind::operator_);
  REQUIRE(keys.create("coordinator", peer_kind::coordinator));
  const auto listed = keys.list().peers;
  REQUIRE(listed.size() == 2); // by name
  CHECK(listed.at(0).name == "alice");
  CHECK(listed.at(0).role == peer_kind::operator_);
  CHECK(listed.at(0).public_key == person->public_key);
  CHECK(listed.at(1).name == "w");
  CHECK(listed.at(1).public_key == worker->public_key);
}

TEST_CASE("a name is taken until its key is revoked") {
  const scratch folder;
  const key_directory keys{folder.path()};
  REQUIRE(keys.create("w", peer_kind::worker));
  CHECK(keys.create("w", peer_kind::operator_).error().code
        == ec::already_exists);
  const auto old = read_key_file(keys.key_file("w"));
  REQUIRE(keys.revoke("w"));
  const auto fresh = keys.create("w", peer_kind::worker);
  REQUIRE(fresh);
  CHECK(fresh->public_key != old->public_key);
  CHECK(read_key_file(keys.key_file("w"))->public_key == fresh->public_key);
  CHECK(keys.create("w", peer_kind::worker).error().code == ec::already_exists);
}

TEST_CASE("every revoked key of a name stays on record") {
  const scratch folder;
  const key_directory keys{folder.path()};
  std::set<std::string> revoked;
  for (int i = 0; i < 3; ++i) {
    revoked.insert(keys.create("w", peer_kind::worker)->public_key);
    REQUIRE(keys.revoke("w"));
  }
  const auto fresh = keys.create("w", peer_kind::worker);
  REQUIRE(fresh);
  const auto listed = keys.list().peers;
  std::set<std::string> on_record;
  for (const auto& peer : listed)
    if (peer.revoked)
      on_record.insert(peer.public_key);
    else
      CHECK(peer.public_key == fresh->public_key);
  CHECK(listed.size() == 4);
  CHECK(on_record == revoked);
  for (const auto& key : revoked)
    CHECK(keys.find(key)->value().revoked);
}

TEST_CASE("many keys are found as one by one") {
  const scratch folder;
  const key_directory keys{folder.path()};
  const auto allowed = keys.create("w", peer_kind::worker)->public_key;
  const auto revoked = keys.create("v", peer_kind::operator_)->public_key;
  REQUIRE(keys.revoke("v"));
  const auto stranger = make_curve_pair().public_key;
  const auto found =
      keys.find(std::vector{revoked, stranger, allowed, revoked});
  REQUIRE(found.size() == 4);
  CHECK((*found[0])->name == "v");
  CHECK((*found[0])->revoked);
  CHECK_FALSE(*found[1]);
  CHECK((*found[2])->name == "w");
  CHECK_FALSE((*found[2])->revoked);
  CHECK((*found[3])->revoked);
}

TEST_CASE("a name that would leave the directory is refused") {
  const scratch folder;
  const key_directory keys{folder.path() / "keys"};
  for (const auto* name : {"", ".", "..", "../w", "a/b", "/etc/w", "a b", "-w",
                           ".hidden", "a\nb", "w\xc3\xb6"}) {
    INFO(name);
    CHECK(keys.create(name, peer_kind::worker).error().code
          == ec::invalid_argument);
    CHECK(keys.revoke(name).error().code == ec::invalid_argument);
  }
  CHECK_FALSE(fs::exists(folder.path() / "keys"));
  CHECK_FALSE(fs::exists(folder.path() / "w.key"));
}

TEST_CASE("a revoked key is listed as such, once, and its pair stays") {
  const scratch folder;
  const key_directory keys{folder.path()};
  REQUIRE(keys.create("w", peer_kind::worker));
  REQUIRE(keys.create("v", peer_kind::worker));
  REQUIRE(keys.revoke("w"));
  const auto listed = keys.list().peers;
  REQUIRE(listed.size() == 2);
  CHECK_FALSE(listed.at(0).revoked);
  CHECK(listed.at(1).name == "w");
  CHECK(listed.at(1).revoked);
  CHECK(read_key_file(keys.key_file("w")).has_value());
  const auto again = keys.revoke("w");
  REQUIRE_FALSE(again);
  CHECK(again.error().code == ec::not_found);
  CHECK(again.error().message.find("allowed: v") != std::string::npos);
}

TEST_CASE("a coordinator's public keys may be several, one a line") {
  const scratch folder;
  const auto a = make_curve_pair().public_key;
  const auto b = make_curve_pair().public_key;
  const auto file = folder.path() / "coordinator.pub";
  write_with_folder(file,
                    "# old\ncoordinator " + a + "\n\n  " + b + "  \r\n# end");
  const auto read = read_public_keys(file);
  REQUIRE(read);
  CHECK(*read == std::vector<std::string>{a, b});
  write_with_folder(file, "# nothing\n");
  CHECK(read_public_keys(file).error().message.find("contains no key")
        != std::string::npos);
}

TEST_CASE("a broken file among the allowed is named") {
  const scratch folder;
  const key_directory keys{folder.path()};
  REQUIRE(keys.create("w", peer_kind::worker));
  for (const std::string text :
       {"worker\n", "worker tooshort\n", "queen KEY\n", "KEY\n"}) {
    INFO(text);
    write_with_folder(folder.path() / "allowed" / "bad.pub", text);
    const auto got = keys.list();
    REQUIRE(got.unread.size() == 1);
    CHECK(got.unread[0].message.find("bad.pub") != std::string::npos);
    REQUIRE(got.peers.size() == 1); // the others are listed all the same
    CHECK(got.peers[0].name == "w");
  }
  // What is no .pub file is nobody's key.
  fs::remove(folder.path() / "allowed" / "bad.pub");
  write_with_folder(folder.path() / "allowed" / "README", "not a key\n");
  CHECK(keys.list().peers.size() == 1);
  CHECK(keys.list().unread.empty());
}

TEST_CASE("a revoked key is known while another file is broken") {
  const scratch folder;
  const key_directory keys{folder.path()};
  const auto revoked = keys.create("w", peer_kind::worker)->public_key;
  const auto allowed = keys.create("v", peer_kind::worker)->public_key;
  const auto stranger = make_curve_pair().public_key;
  write_with_folder(folder.path() / "allowed" / "bad.pub", "worker\n");
  REQUIRE(keys.revoke("w"));
  const auto found = keys.find(std::vector{revoked, allowed, stranger});
  REQUIRE(found[0]);
  REQUIRE(*found[0]);
  CHECK((*found[0])->revoked);
  REQUIRE(found[1]);
  CHECK_FALSE((*found[1])->revoked);
  // It may be the one in the broken file.
  CHECK_FALSE(found[2]);
}

TEST_CASE("roles are read as they are written") {
  for (const auto role :
       {peer_kind::worker, peer_kind::operator_, peer_kind::coordinator}) {
    const auto read = parse_peer_kind(to_string(role));
    REQUIRE(read);
    CHECK(*read == role);
  }
  for (const auto* word : {"", "Worker", "worker ", "operator_", "root"})
    CHECK_FALSE(parse_peer_kind(word));
}
