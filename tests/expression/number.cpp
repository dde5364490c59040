// Numbers are read exactly as the C library reads them.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include <trotter/base/number.hpp>

using trotter::expression::parse_number;

TEST_CASE("numbers are rounded exactly") {
    std::mt19937 engine{11};
    for (int i = 0; i < 3000; ++i) {
        std::string text;
        int const digits = 1 + static_cast<int>(engine() % (i % 100 == 0 ? 900 : 30)), point = static_cast<int>(engine() % 32);
        for (int k = 0; k < digits; ++k) {
            if (k == point) text += '.';
            text += static_cast<char>('0' + engine() % 10);
        }
        if (engine() % 2) text += "e" + std::to_string(static_cast<int>(engine() % 680) - 350);
        double expected = std::strtod(text.c_str(), nullptr);
        if (expected > std::numeric_limits<double>::max()) expected = std::numeric_limits<double>::max();
        INFO(text);
        CHECK(parse_number(text) == expected);
    }
    for (char const* text : {"9007199254740993", "9007199254740993.00000000000000000000000000000001", "2.2250738585072012e-308",
                             "2.4703282292062327e-324", "2.4703282292062328e-324", "4.9e-324", "1.7976931348623158e308", "0.000001", "00012.50"}) {
        INFO(text);
        CHECK(parse_number(text) == std::strtod(text, nullptr));
    }
}

TEST_CASE("malformed numbers have Lepton's values") {
    CHECK(parse_number(".") == 0);
    CHECK(parse_number("1e") == 0);
    CHECK(parse_number("1e+") == 0);
    CHECK(parse_number("1e5.5") == 1e5);
    CHECK(parse_number("1e.5") == 0);
    CHECK(parse_number("1e400") == std::numeric_limits<double>::max());
    CHECK(parse_number("1e-400") == 0);
    CHECK(parse_number("1e99999999999999999999") == std::numeric_limits<double>::max());
}
