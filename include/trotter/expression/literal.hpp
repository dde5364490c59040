// Numbers in C's expression syntax, which OpenCL and CUDA share.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace trotter::expression {

/// How the text spells things. The defaults suit a dialect that defines the type `real`.
struct SourceStyle {
    std::string real = "real";      ///< the type of temporaries
    std::string prefix = "temp";    ///< temporaries are prefix0, prefix1, …
    std::string suffix = "";        ///< behind every number: "f" where double is not to be mentioned
    std::string inverted = "";      ///< an argument whose reciprocal is known, and its square
    std::string inverse = "";       ///< the name of the reciprocal
    std::string square = "";        ///< that of the square, if it is known too
    std::string exp = "exp", log = "log";  ///< functions of the target language
};

/// A number that reads back to the same double, with a point or exponent so that C does not take it for an integer.
std::string literal(double value, SourceStyle const& style);
/// `limit` of the type of these numbers.
std::string limit_literal(double root, SourceStyle const& style);

}  // namespace trotter::expression
