// Users' text in messages and in JSON.
// SPDX-License-Identifier: MIT
#include <catch_compat.hpp>

#include <trotter/base/printable.hpp>

using namespace trotter;

TEST_CASE("control characters and bytes that are no UTF-8 do not reach a terminal") {
    CHECK(printable("a b\xc3\xa9\xe2\x98\x83\xf0\x9f\x98\x80") == "a b\xc3\xa9\xe2\x98\x83\xf0\x9f\x98\x80");
    CHECK(printable("\x1b[31m\r\n\t\x7f") == "?[31m????");
    CHECK(printable("\xc2\x9b" "31m") == "?31m");                    // CSI as one character
    CHECK(printable("a\xe2\x80\xae" "b") == "a?b");                  // right-to-left override
    CHECK(printable("a\xe2\x80\x8f\xd8\x9c\xe2\x80\x8b\xef\xbb\xbf" "b") == "a????b");  // RLM, ALM, zero-width spaces
    CHECK(printable("\x80\xff\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80\xc3") == "????????????");
    CHECK(printable("\xe2\x98") == "??");
    CHECK(printable(std::string("a\0b", 3)) == "a?b");
}

TEST_CASE("UTF-8 is told from other bytes") {
    CHECK(is_utf8(""));
    CHECK(is_utf8("a\x01\xc3\xa9\xf4\x8f\xbf\xbf"));
    for (auto const* bytes : {"\x80", "a\xff", "\xc0\x80", "\xe0\x80\x80", "\xed\xbf\xbf", "\xf5\x80\x80\x80", "\xc3"}) CHECK_FALSE(is_utf8(bytes));
}

TEST_CASE("long texts are cut between characters") {
    CHECK(printable("12345", 5) == "12345");
    CHECK(printable("123456", 5) == "12345…");
    CHECK(printable("1234\xc3\xa9", 5) == "1234…");
    CHECK(printable("1234\xc3\xa9", 6) == "1234\xc3\xa9");
    CHECK(in_quotes(std::string(1'000'000, 'x')).size() == 65);
}

TEST_CASE("a string of JSON is UTF-8 and reads back") {
    CHECK(json_string("a\"b\\c") == R"("a\"b\\c")");
    CHECK(json_string("\n\x1f\x7f") == R"("\u000a\u001f\u007f")");
    CHECK(json_string("\xc2\x9b") == R"("\u009b")");
    CHECK(json_string("\xe2\x80\xae") == R"("\u202e")");
    CHECK(json_string("\xc3\xa9\xff") == "\"\xc3\xa9\xef\xbf\xbd\"");
    CHECK(json_string("\xed\xa0\x80") == "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}
