#include "base/encodings.hpp"

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

TEST_CASE("what could end a part of an address is encoded") {
  CHECK(percent_encoded("aZ09-._~") == "aZ09-._~");
  CHECK(percent_encoded("sw/max width&x=1?#%")
        == "sw%2Fmax%20width%26x%3D1%3F%23%25");
  CHECK(percent_encoded("\xc3\xa9\n") == "%C3%A9%0A");
  CHECK(percent_encoded("").empty());
}
