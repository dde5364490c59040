// Numbers in C's expression syntax, which OpenCL and CUDA share.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace trotter::expression {

/// Spelling of generated code. The defaults suit a dialect that defines the type `real`.
struct SourceStyle {
    std::string real = "real";      ///< the type of temporaries
    std::string prefix = "temp";    ///< temporaries are prefix0, prefix1, …
    std::string suffix = "";        ///< of every number: "f" where double must not occur
    std::string inverted = "";      ///< an argument whose reciprocal, or also its square, is known
    std::string inverse = "";       ///< the name of the reciprocal
    std::string square = "";        ///< that of the square, if it is known too
    std::string exp = "exp", log = "log";  ///< functions of the target language
};

/// A number that reads back to the same double, with a point or exponent so that it is not an integer in C.
std::string literal(double value, SourceStyle const& style);
/// `limit` of the type of these literals.
std::string limit_literal(double root, SourceStyle const& style);

}  // namespace trotter::expression
