#include "base/base64.hpp"

#include <catch2/catch.hpp>

#include <utility>
#include <vector>

using namespace brewery;

TEST_CASE("base64 agrees with the RFC") {
  for (const auto& [plain, coded] :
       std::vector<std::pair<std::string, std::string>>{{"", ""},
                                                        {"f", "Zg=="},
                                                        {"fo", "Zm8="},
                                                        {"foo", "Zm9v"},
                                                        {"foob", "Zm9vYg=="},
                                                        {"foobar", "Zm9vYmFy"},
                                                        {"\xff\xfe", "//4="}})
    CHECK(base64(plain) == coded);
}
