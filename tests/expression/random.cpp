// Random expressions: compiled evaluation against evaluation of the parse tree and finite differences.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "expression/helpers.hpp"

#include <trotter/expression/simplify.hpp>

using namespace expression_test;

TEST_CASE("simplified and lowered expressions keep their value, and slopes are derivatives") {
    RandomExpressions random{20240229};
    int compared = 0;
    for (int i = 0; i < 2000; ++i) {
        auto const text = random(1 + i % 4);
        Values const values{{"x", 0.83}, {"y", 1.37}, {"z", 0.59}};
        CAPTURE(text);
        auto const result = evaluate(RuntimeExpression{text}, values);
        auto const raw = raw_value(text, values);
        if (!std::isfinite(raw)) continue;
        CHECK(std::abs(result.energy - raw) <= 1e-12 * std::max(1.0, result.scale));
        for (auto const& [name, slope] : result.slopes) {
            double const h = 1e-4;
            auto const difference = [&, name = name](double d) {
                auto left = values, right = values;
                left[name] -= d, right[name] += d;
                return (raw_value(text, right) - raw_value(text, left)) / (2 * d);
            };
            double const wide = difference(2 * h), middle = difference(h), narrow = difference(h / 2);
            if (std::abs(wide - middle) > 1e-2 * std::max(1.0, std::abs(middle))) continue;  // near a discontinuity, or too steep
            double const rough = std::abs(middle - narrow) * 10 + 1e-8 * result.scale + 1e-7;
            CHECK(std::abs(slope - narrow) <= rough);
            ++compared;
        }
    }
    CHECK(compared > 2000);
}

TEST_CASE("simplification has reached its fixpoint") {
    RandomExpressions random{7};
    for (int i = 0; i < 1000; ++i) {
        auto const text = random(4);
        CAPTURE(text);
        auto const parsed = expression::Parser{text}.parse();
        expression::Tree once, twice;
        int const first = simplify(parsed.tree, parsed.root, once);
        int const second = simplify(once, first, twice);
        auto const size = [](expression::Tree const& tree, int root) {
            int count = 0;
            for (char const needed : reachable(tree, std::array{root})) count += needed;
            return count;
        };
        CHECK(size(once, first) == size(twice, second));
        CHECK(once[first].op == twice[second].op);
    }
}
