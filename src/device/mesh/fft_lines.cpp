// Generates kernel source that transforms lines of complex numbers in local memory.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/device/mesh/fft_codelet.hpp>
#include <trotter/device/mesh/fft_lines.hpp>

namespace trotter::device {

std::vector<int> fft_stages(int n) {
    std::vector<int> result;
    int odd = n, doublings = 0;
    for (; odd % 2 == 0 && odd > 0; odd /= 2) ++doublings;
    for (int p = 3; odd > 1; p += 2)
        for (; odd % p == 0; odd /= p) result.insert(result.begin(), p);
    for (int stages = (doublings + 2) / 3; stages > 0; --stages) {
        int const here = (doublings + stages - 1) / stages;
        result.push_back(1 << here);
        doublings -= here;
    }
    return result;
}

static std::string text_of(int n) { return std::to_string(n); }

/// The loop of one stage of an autosorting transform (T. G. Stockham, AFIPS Spring Joint Computer Conf. 28, 229
/// (1966)): `radix` numbers size/radix apart, after `before` = the product of the earlier radices. An item is a codelet
/// of `radix` numbers, or a sum for one output.
static std::string stage_begin(FftLines const& lines, int radix, int before, bool is_swapped) {
    int const items = radix > largest_codelet ? lines.size : lines.size / radix;
    bool const lines_first = lines.line_step < lines.step;
    std::string const count = text_of(lines.count), each = text_of(items), line_step = text_of(lines.line_step);
    return "for (int item = LOCAL_ID; item < " + text_of(items * lines.count) + "; item += LOCAL_SIZE) {\n"
           + (lines_first ? "const int line = item % " + count + ", j = item/" + count
                          : "const int line = item/" + each + ", j = item % " + each)
           + ", k = j % " + text_of(before) + ";\nLOCAL_ARG const real2* in = " + (is_swapped ? "second" : "first")
           + " + line*" + line_step + ";\nLOCAL_ARG real2* out = " + (is_swapped ? "first" : "second") + " + line*"
           + line_step + ";\n";
}

static std::string codelet_stage(FftLines const& lines, int radix, int before, std::string const& suffix) {
    int const apart = lines.size / radix, turn = lines.size / (before * radix);
    Statements statements("t", suffix);
    std::vector<TracedComplex> x;
    for (int r = 0; r < radix; ++r) {
        auto member = [&](std::string const& vector) {
            return TracedComplex{{statements, vector + ".x"}, {statements, vector + ".y"}};
        };
        auto const value =
            member(statements.name("in[(j + " + text_of(r * apart) + ")*" + text_of(lines.step) + ']', "2"));
        x.push_back(before == 1 || r == 0 ? value
                                          : value * member(statements.name("roots[k*" + text_of(r * turn) + ']', "2")));
    }
    auto const y = codelet(x);
    for (int q = 0; q < radix; ++q) {
        auto const& value = y[static_cast<std::size_t>(q)];
        statements.add("out[((j - k)*" + text_of(radix) + " + k + " + text_of(q * before) + ")*" + text_of(lines.step)
                       + "] = make_real2(" + value.re.name(statements) + ", " + value.im.name(statements) + ");");
    }
    return statements.text();
}

/// Computes an output as a sum over all of its inputs.
static std::string summing_stage(FftLines const& lines, int radix, int before) {
    int const apart = lines.size / radix, turn = lines.size / (before * radix);
    std::string const n = text_of(lines.size), step = text_of(lines.step);
    return "const int q = j/" + text_of(before) + " % " + text_of(radix) + ", start = j/" + text_of(before * radix)
           + '*' + text_of(before) + " + k;\n" + "const int turn = (k*" + text_of(turn) + " + q*" + text_of(apart)
           + ") % " + n + ";\n" + "real2 sum = make_real2(0, 0);\nfor (int r = 0, at = 0; r < " + text_of(radix)
           + "; ++r) {\n" + "const real2 x = in[(start + r*" + text_of(apart) + ")*" + step + "], w = roots[at];\n"
           + "sum.x += x.x*w.x - x.y*w.y;\nsum.y += x.x*w.y + x.y*w.x;\n" + "at += turn;\nif (at >= " + n
           + ") at -= " + n + ";\n}\nout[j*" + step + "] = sum;\n";
}

std::string fft_function(std::string const& name, FftLines const& lines, std::string const& suffix) {
    std::string text = "inline DEVICE void " + name
                       + "(LOCAL_ARG real2* first, LOCAL_ARG real2* second, GLOBAL const real2* RESTRICT roots) {\n";
    int before = 1;
    bool is_swapped = false;
    for (int const radix : fft_stages(lines.size)) {
        auto const begin = stage_begin(lines, radix, before, is_swapped);
        text += begin
                + (radix > largest_codelet ? summing_stage(lines, radix, before)
                                           : codelet_stage(lines, radix, before, suffix));
        text += "}\nSYNC_THREADS\n";
        before *= radix;
        is_swapped = !is_swapped;
    }
    return text + "}\n";
}
void append_roots(std::vector<double>& roots, int size) {
    auto const n = static_cast<std::size_t>(size);
    for (std::size_t k = 0; k < n; ++k) {
        roots.push_back(cosine_of_turn(k, n));
        roots.push_back(-sine_of_turn(k, n));
    }
}

}  // namespace trotter::device
