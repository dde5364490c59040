// x86 SIMD code generation for the arithmetic of register programs.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <xbyak/xbyak.h>
#include <trotter/expression/registers.hpp>
#include <trotter/parts/least_distance.hpp>

namespace trotter {

/// Location of an operand: a SIMD register, memory with a value per lane, or a scalar in memory for all lanes.
struct Operand {
    enum class Kind { vector, memory, scalar } kind = Kind::vector;
    int number = 0;  ///< of the SIMD register
    Xbyak::RegExp address{};

    static Operand vector(int n) { return {Kind::vector, n, {}}; }
    static Operand memory(Xbyak::RegExp const& address) { return {Kind::memory, 0, address}; }
    static Operand scalar(Xbyak::RegExp const& address) { return {Kind::scalar, 0, address}; }
};

/// Constants for generated code, repeated for each lane; a general register points to them.
template <class Real> struct VectorConstants {
    using Row = Real[64 / sizeof(Real)];
    enum Number { one, minus_one, half, three_eighths, five_sixteenths, least_square, count };
    alignas(64) Row numbers[count];
    alignas(64) std::uint64_t exponent_step[8];  ///< subtracted from a number's bits to halve it

    constexpr VectorConstants() : numbers{}, exponent_step{} {
        constexpr Real values[count] = {1, -1, Real(0.5), Real(3.0 / 8), Real(5.0 / 16), trotter::least_square<Real>()};
        for (int n = 0; n < count; ++n)
            for (Real& number : numbers[n]) number = values[n];
        for (auto& step : exponent_step)
            step = sizeof(Real) == 8 ? std::uint64_t{1} << 52 : std::uint64_t{1} << 55 | std::uint64_t{1} << 23;
    }
};
inline constexpr VectorConstants<float> single_constants;
inline constexpr VectorConstants<double> double_constants;

/// Generates instructions for SIMD vectors of 32 or 64 bytes.
class VectorAssembler {
public:
    VectorAssembler(int number_bytes, int vector_bytes) : is_double(number_bytes == 8), is_wide(vector_bytes == 64) {}

    bool const is_double, is_wide;
    Xbyak::CodeGenerator code{Xbyak::DEFAULT_MAX_CODE_SIZE, Xbyak::AutoGrow};

    /// Returns the code and makes it executable. Throws Xbyak::Error if the operating system refuses that.
    unsigned char const* finish() {
        code.readyRE();
        return code.getCode();
    }

    Xbyak::Xmm vector(int number) const {
        if (is_wide) return Xbyak::Zmm(number);
        return Xbyak::Ymm(number);
    }
    Xbyak::Address at(Operand const& operand) const {
        return operand.kind == Operand::Kind::scalar ? code.ptr_b[operand.address] : code.ptr[operand.address];
    }
    /// Whether instructions can use it directly as an operand.
    bool is_operand(Operand const& operand) const { return operand.kind != Operand::Kind::scalar || is_wide; }

    /// Loads the address of the constants into a general register.
    void point_to_constants(Xbyak::Reg64 const& to) {
        constants_ = to;
        code.mov(to, is_double ? reinterpret_cast<std::uint64_t>(&double_constants)
                               : reinterpret_cast<std::uint64_t>(&single_constants));
    }
    Operand constant(int number) const {
        return Operand::memory(constants_ + std::size_t{64} * static_cast<std::size_t>(number));
    }
    Operand exponent_step() const { return constant(VectorConstants<float>::count); }

    void load(int to, Operand const& from) {
        if (from.kind != Operand::Kind::scalar)
            code.vmovaps(vector(to), code.ptr[from.address]);
        else if (is_double)
            code.vbroadcastsd(wide(to), code.ptr[from.address]);
        else
            code.vbroadcastss(vector(to), code.ptr[from.address]);
    }
    void store(int from, Operand const& to) { code.vmovaps(at(to), vector(from)); }
    void root(int to, Operand const& from) {
        with(from,
             [&](Xbyak::Operand const& x) { is_double ? code.vsqrtpd(vector(to), x) : code.vsqrtps(vector(to), x); });
    }
    /// Add, subtract, multiply, divide, min or max.
    void calculate(expression::Op op, int to, int first, Operand const& second) {
        using expression::Op;
        auto const result = vector(to), a = vector(first);
        with(second, [&](Xbyak::Operand const& b) {
            switch (op) {
                case Op::add:
                    return is_double ? code.vaddpd(result, a, b) : code.vaddps(result, a, b);
                case Op::subtract:
                    return is_double ? code.vsubpd(result, a, b) : code.vsubps(result, a, b);
                case Op::multiply:
                    return is_double ? code.vmulpd(result, a, b) : code.vmulps(result, a, b);
                case Op::divide:
                    return is_double ? code.vdivpd(result, a, b) : code.vdivps(result, a, b);
                case Op::min:
                    return is_double ? code.vminpd(result, a, b) : code.vminps(result, a, b);
                default:
                    return is_double ? code.vmaxpd(result, a, b) : code.vmaxps(result, a, b);
            }
        });
    }
    /// result += a b
    void add_product(int result, int a, Operand const& b) {
        fuse(&Code::vfmadd231ps, &Code::vfmadd231pd, result, a, b);
    }
    /// result -= a b
    void subtract_product(int result, int a, Operand const& b) {
        fuse(&Code::vfnmadd231ps, &Code::vfnmadd231pd, result, a, b);
    }
    /// result = a result + c
    void multiply_add(int result, int a, Operand const& c) {
        fuse(&Code::vfmadd213ps, &Code::vfmadd213pd, result, a, c);
    }
    /// result = c - a result
    void multiply_subtract_from(int result, int a, Operand const& c) {
        fuse(&Code::vfnmadd213ps, &Code::vfnmadd213pd, result, a, c);
    }

private:
    using Code = Xbyak::CodeGenerator;
    using Fused = void (Code::*)(Xbyak::Xmm const&, Xbyak::Xmm const&, Xbyak::Operand const&);

    void fuse(Fused of_floats, Fused of_doubles, int result, int a, Operand const& third) {
        with(third, [&](Xbyak::Operand const& x) {
            (code.*(is_double ? of_doubles : of_floats))(vector(result), vector(a), x);
        });
    }
    Xbyak::Ymm wide(int number) const {
        if (is_wide) return Xbyak::Zmm(number);
        return Xbyak::Ymm(number);
    }
    template <class Visit> void with(Operand const& operand, Visit const& visit) {
        if (operand.kind == Operand::Kind::vector)
            visit(vector(operand.number));
        else
            visit(at(operand));
    }

    Xbyak::Reg64 constants_;
};

/// Translates instructions of a register program. Keeps registers in the processor's SIMD registers, and stores only
/// those that are read later.
class Translation {
    static constexpr int never = std::numeric_limits<int>::max(), most_vectors = 32;

public:
    /// Whether an operation is supported.
    static bool is_known(expression::Op op) {
        using expression::Op;
        switch (op) {
            case Op::add:
            case Op::subtract:
            case Op::multiply:
            case Op::divide:
            case Op::negate:
            case Op::reciprocal:
            case Op::sqrt:
            case Op::min:
            case Op::max:
                return true;
            default:
                return false;
        }
    }

    /// `memory`: location of each register, also for spilling; SIMD registers `first_vector` to `last_vector` - 1 are
    /// free.
    Translation(expression::RegisterProgram const& program, std::vector<Operand> const& memory,
                VectorAssembler& assembler, int first_vector, int last_vector)
        : program_(program), memory_(memory), assembler_(assembler), first_(first_vector), last_(last_vector) {}

    /// Reserves a SIMD register.
    void leave(int v) { busy_ = left_ |= 1u << v; }
    /// Declares that SIMD register `v` has this register's value, which is not in memory.
    void hold(int number, int v) { held_[at(v)] = {number, true}; }

    void write(int begin, int end) {
        end_ = end;
        for (int n = begin; n < end; ++n) write_instruction(n);
        busy_ = left_;
    }
    /// Stores all values that are read after the last translated instruction.
    void store_all() {
        for (int v = first_; v < last_; ++v)
            if (held_[at(v)].is_new && next_use(held_[at(v)].number, end_) != never) store(v);
    }
    /// SIMD register of an output, reserved until the end.
    int result(int number) { return in_vector(number, end_); }
    /// A free SIMD register, reserved until the end.
    int free_vector() { return take(end_); }

private:
    /// Content of a SIMD register: index of a program register, or -1; `is_new` if it is not in memory yet.
    struct Held {
        int number = -1;
        bool is_new = false;
    };

    void write_instruction(int n) {
        using expression::Op;
        auto [op, result, a, b, c] = program_.code[static_cast<std::size_t>(n)];
        busy_ = left_;
        if ((op == Op::add || op == Op::multiply) && find(a) < 0) std::swap(a, b);
        int first = -1;
        if (op == Op::reciprocal) {
            first = take(n);
            assembler_.load(first, assembler_.constant(VectorConstants<float>::one));
        } else if (op != Op::sqrt)
            first = in_vector(a, n);
        Operand const last = op == Op::negate ? assembler_.constant(VectorConstants<float>::minus_one)
                                              : operand(expression::operand_count(op) == 1 ? a : b, n);
        int const to = take(n);
        if (op == Op::sqrt)
            assembler_.root(to, last);
        else
            assembler_.calculate(binary(op), to, first, last);
        if (int const old = find(result); old >= 0) held_[at(old)] = {};
        held_[at(to)] = {result, true};
    }

    /// The binary operation equivalent to this one with 1 or -1.
    static expression::Op binary(expression::Op op) {
        using expression::Op;
        return op == Op::negate ? Op::multiply : op == Op::reciprocal ? Op::divide : op;
    }

    static constexpr std::size_t at(int v) { return static_cast<std::size_t>(v); }
    Operand const& in_memory(int number) const { return memory_[static_cast<std::size_t>(number)]; }
    int find(int number) const {
        for (int v = first_; v < last_; ++v)
            if (held_[at(v)].number == number) return v;
        return -1;
    }
    int in_vector(int number, int n) {
        int v = find(number);
        if (v < 0) {
            v = take(n);
            assembler_.load(v, in_memory(number));
            held_[at(v)] = {number, false};
        }
        busy_ |= 1u << v;
        return v;
    }
    /// A SIMD register if the value is in one or is read again by these instructions, else memory.
    Operand operand(int number, int n) {
        if (find(number) < 0 && assembler_.is_operand(in_memory(number)) && next_use(number, n + 1) >= end_)
            return in_memory(number);
        return Operand::vector(in_vector(number, n));
    }
    /// Takes a SIMD register not used by instruction `n`: a free one, or that with the latest next use.
    int take(int n) {
        int best = -1, last = -1;
        for (int v = first_; v < last_; ++v) {
            if ((busy_ >> v & 1u) != 0) continue;
            int const use = held_[at(v)].number < 0 ? never : next_use(held_[at(v)].number, n);
            if (use > last) best = v, last = use;
        }
        if (held_[at(best)].is_new && last != never) store(best);
        held_[at(best)] = {};
        busy_ |= 1u << best;
        return best;
    }
    void store(int v) { assembler_.store(v, in_memory(held_[at(v)].number)); }

    /// First instruction from `n` on that reads the current value of a register; the program's size for outputs.
    int next_use(int number, int n) const {
        int const size = static_cast<int>(program_.code.size());
        for (; n < size; ++n) {
            auto const& [op, result, a, b, c] = program_.code[static_cast<std::size_t>(n)];
            if (op == expression::Op::custom) {
                auto const& call = program_.calls[static_cast<std::size_t>(a)];
                if (std::ranges::count(call.operands, number) > 0) return n;
                if (std::ranges::count(call.results, number) > 0) return never;
            } else if (a == number || b == number || c == number)
                return n;
            else if (result == number)
                return never;
        }
        return std::ranges::count(program_.outputs, number) > 0 ? size : never;
    }

    expression::RegisterProgram const& program_;
    std::vector<Operand> const& memory_;
    VectorAssembler& assembler_;
    int first_, last_, end_ = 0;
    std::array<Held, most_vectors> held_{};
    unsigned left_ = 0, busy_ = 0;  // busy_: bit mask of SIMD registers used by the current instruction
};

}  // namespace trotter
