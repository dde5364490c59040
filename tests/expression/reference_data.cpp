// Values, derivatives and syntax against OpenMM's, from the reference data.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "expression/helpers.hpp"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

using namespace expression_test;

namespace {
std::optional<nlohmann::json> reference() {
    char const* const folder = std::getenv("TROTTER_REFERENCE_DATA");
    std::ifstream file{std::string{folder ? folder : "."} + "/oracle/expressions/expressions.json"};
    if (!file) {
        WARN("the reference data is absent: set TROTTER_REFERENCE_DATA to its folder");
        return {};
    }
    return nlohmann::json::parse(file);
}
}  // namespace

TEST_CASE("expressions have the values and derivatives of OpenMM") {
    auto const data = reference();
    if (!data) return;
    for (auto const& entry : data->at("valid")) {
        auto const text = entry.at("expression").get<std::string>();
        auto values = entry.at("parameters").get<Values>();
        std::vector<std::string> known{"r"};
        for (auto const& [name, value] : values) known.push_back(name);
        values["r"] = entry.at("r").get<double>();
        CAPTURE(text, values);
        auto const result = evaluate(RuntimeExpression{text, known}, values);
        double const tolerance = 1e-12 * std::max(result.scale, 1.0);
        auto const slope = [&](std::string const& name) { return result.slopes.contains(name) ? result.slopes.at(name) : 0.0; };
        CHECK(std::abs(result.energy - entry.at("value").get<double>()) <= tolerance);
        CHECK(std::abs(slope("r") - entry.at("d_dr").get<double>()) <= tolerance);
        for (auto const& [name, expected] : entry.at("d_dparameter").items())
            CHECK(std::abs(slope(name) - expected.get<double>()) <= tolerance);
    }
}

TEST_CASE("the parser accepts what OpenMM's accepts") {
    auto const data = reference();
    if (!data) return;
    for (auto const& entry : data->at("invalid")) {
        auto const text = entry.at("expression").get<std::string>();
        CAPTURE(text);
        std::vector<std::string> const known{"r", "a", "b"};
        if (entry.at("rejected").get<bool>()) CHECK_THROWS_AS((RuntimeExpression{text, known}), ExpressionError);
        else if (text.find('a') == std::string::npos && text.find('b') == std::string::npos)
            CHECK(std::abs(evaluate(RuntimeExpression{text, known}, {{"r", 0.7}}).energy - entry.at("value").get<double>()) <= 1e-14);
        else CHECK_NOTHROW(RuntimeExpression{text, known});
    }
}
