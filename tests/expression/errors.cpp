// Malformed expressions and their messages; inputs designed to exhaust memory, stack or time.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "expression/helpers.hpp"

#include <chrono>

using namespace expression_test;

namespace {
std::string message(std::string const& text, std::vector<std::string> const& known = {"r", "k"}) {
    try {
        RuntimeExpression{text, known};
    } catch (ExpressionError const& error) { return error.what(); }
    return "accepted";
}
std::string repeated(std::string const& piece, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += piece;
    return text;
}
}  // namespace

TEST_CASE("messages say what is wrong, and where") {
    CHECK(message("q*r") == "unknown name 'q' at column 1 of \"q*r\"; known: r, k");
    CHECK(message("r; q=3") == "accepted");
    CHECK(message("q", {}) == "unknown name 'q' at column 1 of \"q\"; known: none");
    CHECK(message("r+") == "the expression ends too early at column 3 of \"r+\"");
    CHECK(message("r + *k") == "unexpected '*' at column 5 of \"r + *k\"");
    CHECK(message("k*(r + 2") == "this parenthesis is never closed at column 3 of \"k*(r + 2\"");
    CHECK(message("sin(r") == "this parenthesis is never closed at column 4 of \"sin(r\"");
    CHECK(message("r)") == "unexpected ')' after the end of the expression at column 2 of \"r)\"");
    CHECK(message("2r") == "unexpected 'r' after the end of the expression at column 2 of \"2r\"");
    CHECK(message("min(r)") == "function 'min' takes 2 arguments, not 1 at column 1 of \"min(r)\"");
    CHECK(message("1+exp(r,k)") == "function 'exp' takes 1 argument, not 2 at column 3 of \"1+exp(r,k)\"");
    CHECK(message("u*r; u") == "a definition must read name = expression, not 'u' at column 6 of \"u*r; u\"");
    CHECK(message("u*r; u=k*") == "the expression ends too early at column 10 of \"u*r; u=k*\"");
    CHECK(message("r*foo(k)") == "unknown function 'foo' at column 3 of \"r*foo(k)\"; known: sqrt, exp, log, sin, cos, sec, csc, tan, "
                                  "cot, asin, acos, atan, atan2, sinh, cosh, tanh, erf, erfc, step, delta, square, cube, recip, "
                                  "min, max, abs, floor, ceil, select");
    CHECK(message(repeated("r+", 60) + "q") == "unknown name 'q' at column 121 of \"..." + repeated("+r", 39) + "+q\"; known: r, k");
}

TEST_CASE("hostile expressions are refused or evaluated, quickly") {
    auto const begin = std::chrono::steady_clock::now();
    int const many = 100'000;
    CHECK(message(repeated("(", many) + "r" + repeated(")", many)).starts_with("nested more than 256 deep at column 257 of \""));
    CHECK(message(repeated("(", 255) + "r" + repeated(")", 255)) == "accepted");
    CHECK(message(repeated("-", many) + "r").starts_with("nested more than 256 deep"));
    CHECK(message(repeated("r^", many) + "r").starts_with("nested more than 256 deep"));
    CHECK(message(repeated("r^", 200) + "r") == "accepted");
    CHECK(message(repeated("sin(", many)).starts_with("nested more than 256 deep"));
    CHECK(message(repeated("r+", many) + "r").starts_with("more than 10000 different operations"));
    CHECK(message(repeated("r*", 9'000) + "k") == "accepted");
    CHECK(message(repeated("k/", 9'000) + "r") == "accepted");
    CHECK(message(repeated("select(step(r-k),r,0)*", 900) + "r") == "accepted");
    CHECK(message("r" + repeated(";", many)) == "accepted");
    CHECK(message("r" + repeated(";a=r", many)).starts_with("more than 10000 different operations"));
    CHECK(message("r*" + repeated("9", many)) == "accepted");
    CHECK(message("r*1e" + repeated("9", many)) == "accepted");
    CHECK(message("r^1e300 + r^-1e300") == "accepted");
    CHECK(message(std::string(1000, '\0')).starts_with("unknown name"));
    std::string doubling = "x0";  // 2^300 leaves without common subexpressions
    for (int i = 0; i < 300; ++i) doubling += ";x" + std::to_string(i) + "=sin(x" + std::to_string(i + 1) + "*x" + std::to_string(i + 1) + ")";
    CHECK(message(doubling + ";x300=r") == "accepted");
    std::string masked = "x0";
    for (int i = 0; i < 300; ++i) {
        auto const n = std::to_string(i + 1), m = std::to_string(i + 2);
        masked += ";x" + std::to_string(i) + "=select(step(x" + n + "),x" + n + ",0)+max(x" + n + ",x" + m + ")*x" + m;
    }
    CHECK(message(masked + ";x300=r;x301=k") == "accepted");
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{20});
}
