// Empty: tests/CMakeLists.txt parses the headers of all tests with it.
