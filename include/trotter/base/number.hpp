// Converts decimal text to the nearest double, correctly rounded, also at compile time (unlike the standard library).
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace trotter::expression {

/// Natural numbers of any size, with the few operations that rounding a decimal fraction needs.
class BigNatural {
public:
    constexpr BigNatural() = default;

    /// Multiplies by `factor`, then adds `summand`.
    constexpr void multiply_and_add(std::uint32_t factor, std::uint32_t summand) {
        std::uint64_t carry = summand;
        for (auto& limb : limbs_) {
            carry += std::uint64_t{limb} * factor;
            limb = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        if (carry) limbs_.push_back(static_cast<std::uint32_t>(carry));
    }
    /// Position of the highest bit that is set, plus 1.
    constexpr int bits() const {
        return limbs_.empty() ? 0 : static_cast<int>(limbs_.size()) * 32 - std::countl_zero(limbs_.back());
    }
    /// Multiplies by 2^count.
    constexpr void shift_left(int count) {
        if (limbs_.empty()) return;
        limbs_.insert(limbs_.begin(), static_cast<std::size_t>(count / 32), 0u);
        if (count % 32) multiply_and_add(std::uint32_t{1} << (count % 32), 0);
    }
    /// Whether it is less than `other`.
    constexpr bool less(BigNatural const& other) const {
        if (limbs_.size() != other.limbs_.size()) return limbs_.size() < other.limbs_.size();
        for (auto i = limbs_.size(); i-- > 0;)
            if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i];
        return false;
    }
    /// Subtracts `smaller`, which must not be larger.
    constexpr void subtract(BigNatural const& smaller) {
        std::int64_t borrow = 0;
        for (std::size_t i = 0; i < limbs_.size(); ++i) {
            borrow += std::int64_t{limbs_[i]} - (i < smaller.limbs_.size() ? std::int64_t{smaller.limbs_[i]} : 0);
            limbs_[i] = static_cast<std::uint32_t>(borrow);
            borrow >>= 32;
        }
        while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
    }
    /// Whether it is 0.
    constexpr bool zero() const { return limbs_.empty(); }

private:
    std::vector<std::uint32_t> limbs_;  // least significant first, no leading zeros
};

/// The double nearest to numerator/denominator, ties to even; both are positive.
constexpr double nearest_quotient(BigNatural numerator, BigNatural denominator) {
    int exponent = numerator.bits() - denominator.bits();
    if (exponent >= 0) denominator.shift_left(exponent);
    else numerator.shift_left(-exponent);
    if (numerator.less(denominator)) numerator.shift_left(1), --exponent;
    // Now the quotient is m·2^exponent with 1 <= m < 2. Subnormal results have fewer bits.
    if (exponent > 1023) return std::numeric_limits<double>::max();
    int const wanted = exponent >= -1022 ? 53 : 53 - (-1022 - exponent);
    if (wanted < 0) return 0;
    std::uint64_t digits = 0;
    for (int i = 0; i < wanted; ++i) {
        bool const bit = !numerator.less(denominator);
        if (bit) numerator.subtract(denominator);
        numerator.shift_left(1);
        digits = digits << 1 | (bit ? 1u : 0u);
    }
    bool const half = !numerator.less(denominator);
    if (half) numerator.subtract(denominator);
    if (half && (!numerator.zero() || digits & 1)) ++digits;
    double result = static_cast<double>(digits);
    int scale = exponent - (wanted - 1);
    for (; scale > 0; --scale) result *= 2;  // exact, or an overflow
    for (; scale < 0 && wanted == 53; ++scale) result /= 2;
    if (wanted < 53) return std::bit_cast<double>(digits);
    return result > std::numeric_limits<double>::max() ? std::numeric_limits<double>::max() : result;
}

/// A parsed number: the digits are text[0, end), and the value is digits·10^exponent.
struct Decimal {
    std::size_t end = 0;  ///< index of the first character after the digits
    std::uint64_t mantissa = 0;  ///< exact for up to 19 significant digits
    int significant = 0;  ///< number of digits from the first that is not 0
    int exponent = 0;  ///< power of ten of the mantissa's last digit
    bool complete = false;  ///< false without digits, or with an exponent that has none
};

/// 0 to 9, in any locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads a number at the beginning of a text.
constexpr Decimal read_decimal(std::string_view text) {
    Decimal read;
    bool after_point = false;
    std::size_t i = 0;
    for (; i < text.size() && (is_digit(text[i]) || (text[i] == '.' && !after_point)); ++i) {
        if (text[i] == '.') {
            after_point = true;
            continue;
        }
        read.complete = true;
        if (read.significant > 0 || text[i] != '0') ++read.significant;
        if (read.significant <= 19) read.mantissa = read.mantissa * 10 + static_cast<unsigned>(text[i] - '0');
        if (after_point) --read.exponent;
    }
    read.end = i;
    if (i == text.size() || (text[i] != 'e' && text[i] != 'E')) return read;
    bool const minus = ++i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (i == text.size() || !is_digit(text[i])) read.complete = false;
    int written = 0;
    for (; i < text.size() && is_digit(text[i]); ++i)
        if (written < 100'000'000) written = written * 10 + (text[i] - '0');
    read.exponent += minus ? -written : written;
    return read;
}

/// mantissa·10^exponent where both fit a double exactly: one correctly rounded operation (Clinger 1990).
constexpr double exact_scaling(std::uint64_t mantissa, int exponent) {
    double power = 1;
    for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) power *= 10;
    return exponent < 0 ? static_cast<double>(mantissa) / power : static_cast<double>(mantissa) * power;
}

/// The value of `digits[.digits][e[sign]digits]`; characters beyond that are ignored. As in Lepton, a number
/// without digits or with an empty exponent is 0, and one that is too large is the largest double.
constexpr double parse_number(std::string_view text) {
    constexpr int most_digits = 800;  // one more nonzero digit represents all that follow: no tie is that long
    auto const read = read_decimal(text);
    if (!read.complete || read.significant == 0) return 0;
    if (read.significant <= 15 && read.exponent >= -22 && read.exponent <= 22)
        return exact_scaling(read.mantissa, read.exponent);
    if (read.exponent + read.significant > 310) return std::numeric_limits<double>::max();
    if (read.exponent + read.significant < -330) return 0;
    BigNatural numerator, denominator;
    denominator.multiply_and_add(1, 1);
    int used = 0, exponent = read.exponent;
    bool rest = false;
    for (char const c : text.substr(0, read.end)) {
        if (c == '.' || (used == 0 && c == '0')) continue;
        if (++used <= most_digits) numerator.multiply_and_add(10, static_cast<unsigned>(c - '0'));
        else ++exponent, rest |= c != '0';
    }
    if (rest) numerator.multiply_and_add(10, 1), --exponent;
    for (int k = 0; k < exponent; ++k) numerator.multiply_and_add(10, 0);
    for (int k = 0; k > exponent; --k) denominator.multiply_and_add(10, 0);
    return nearest_quotient(numerator, denominator);
}

}  // namespace trotter::expression
