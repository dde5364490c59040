// Arithmetic of register programs as instructions of x86 processors.
// SPDX-License-Identifier: MIT
#include <trotter/host/machine_code.hpp>

#ifdef TROTTER_HAVE_XBYAK

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include <xbyak/xbyak.h>

namespace trotter {

namespace {

using expression::Op;
using expression::RegisterProgram;

bool is_done_here(Op op) {
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

/// Where a number of an instruction is.
struct Place {
    enum class Kind { vector, full, repeated, constant } kind;
    int at;  ///< the vector's number, or bytes from where the registers or constants begin
};

/// Writes functions that loop over the vectors of all registers: rdi points to the registers and rdx to constants; eax
/// counts bytes up to esi, and ecx those within a tile.
class Assembler {
public:
    explicit Assembler(RegisterLayout const& layout) : layout_(layout) {}

    std::size_t size() const { return code_.getSize(); }
    /// What was written, which may be executed from now on. Throws Xbyak::Error where the system refuses that.
    unsigned char const* finish() {
        code_.readyRE();
        return code_.getCode();
    }

    void begin(void const* constants) {
        code_.mov(code_.rdx, reinterpret_cast<std::uint64_t>(constants));
        code_.xor_(code_.eax, code_.eax);
        code_.inLocalLabel();
        code_.L(".loop");
        code_.mov(code_.ecx, code_.eax);
        code_.and_(code_.ecx, static_cast<std::uint32_t>(layout_.tile_bytes - 1));
    }
    void end() {
        code_.add(code_.eax, static_cast<std::uint32_t>(layout_.vector_bytes));
        code_.cmp(code_.eax, code_.esi);
        code_.jb(".loop", Xbyak::CodeGenerator::T_NEAR);
        code_.outLocalLabel();
        code_.vzeroupper();
        code_.ret();
    }
    void load(int to, Place const& from) { code_.vmovaps(vector(to), at(from)); }
    void store(int from, Place const& to) { code_.vmovaps(at(to), vector(from)); }
    void root(int to, Place const& from) {
        with(from, [&](Xbyak::Operand const& x) {
            is_double() ? code_.vsqrtpd(vector(to), x) : code_.vsqrtps(vector(to), x);
        });
    }
    /// Addition, subtraction, multiplication, division, the smaller or the larger of two.
    void calculate(Op op, int to, int first, Place const& second) {
        auto const result = vector(to), a = vector(first);
        with(second, [&](Xbyak::Operand const& b) {
            switch (op) {
                case Op::add:
                    return is_double() ? code_.vaddpd(result, a, b) : code_.vaddps(result, a, b);
                case Op::subtract:
                    return is_double() ? code_.vsubpd(result, a, b) : code_.vsubps(result, a, b);
                case Op::multiply:
                    return is_double() ? code_.vmulpd(result, a, b) : code_.vmulps(result, a, b);
                case Op::divide:
                    return is_double() ? code_.vdivpd(result, a, b) : code_.vdivps(result, a, b);
                case Op::min:
                    return is_double() ? code_.vminpd(result, a, b) : code_.vminps(result, a, b);
                default:
                    return is_double() ? code_.vmaxpd(result, a, b) : code_.vmaxps(result, a, b);
            }
        });
    }

private:
    bool is_double() const { return layout_.number_bytes == 8; }
    Xbyak::Xmm vector(int number) const {
        if (layout_.vector_bytes == 64) return Xbyak::Zmm(number);
        return Xbyak::Ymm(number);
    }
    Xbyak::Address at(Place const& place) const {
        auto const bytes = static_cast<std::size_t>(place.at);
        switch (place.kind) {
            case Place::Kind::full:
                return code_.ptr[code_.rdi + code_.rax + bytes];
            case Place::Kind::repeated:
                return code_.ptr[code_.rdi + code_.rcx + bytes];
            default:
                return code_.ptr[code_.rdx + bytes];
        }
    }
    template <class Visit> void with(Place const& place, Visit const& visit) {
        if (place.kind == Place::Kind::vector)
            visit(vector(place.at));
        else
            visit(at(place));
    }

    RegisterLayout layout_;
    Xbyak::CodeGenerator code_{Xbyak::DEFAULT_MAX_CODE_SIZE, Xbyak::AutoGrow};
};

/// 1 and -1, a vector each.
template <class Real> struct Constants {
    alignas(64) Real numbers[2][64 / sizeof(Real)];
    constexpr Constants() : numbers{} {
        for (Real& number : numbers[0]) number = 1;
        for (Real& number : numbers[1]) number = -1;
    }
};
constexpr Constants<float> single_constants;
constexpr Constants<double> double_constants;

/// Writes the function of one run of instructions. The processor's vectors remember what registers hold, and only what
/// is read later goes back to memory.
class Translation {
    static constexpr int vectors = 16, never = std::numeric_limits<int>::max();
    static constexpr Place one{Place::Kind::constant, 0}, minus_one{Place::Kind::constant, 64};

public:
    Translation(RegisterProgram const& program, RegisterLayout const& layout, Assembler& assembler, int end)
        : program_(program), layout_(layout), assembler_(assembler), end_(end) {}

    void write(int begin) {
        assembler_.begin(layout_.number_bytes == 8 ? static_cast<void const*>(&double_constants) : &single_constants);
        for (int n = begin; n < end_; ++n) write_instruction(n);
        for (int v = 0; v < vectors; ++v)
            if (held_[at(v)].is_new && next_use(held_[at(v)].number, end_) != never) store(v);
        assembler_.end();
    }

private:
    /// What a vector holds: the number of a register, -1 for none, which memory does not have yet if it `is_new`.
    struct Held {
        int number = -1;
        bool is_new = false;
    };

    void write_instruction(int n) {
        auto [op, result, a, b, c] = program_.code[static_cast<std::size_t>(n)];
        busy_ = 0;
        if ((op == Op::add || op == Op::multiply) && find(a) < 0) std::swap(a, b);
        int first = -1;
        if (op == Op::reciprocal) {
            first = take(n);
            assembler_.load(first, one);
        } else if (op != Op::sqrt)
            first = in_vector(a, n);
        Place const last =
            op == Op::negate ? minus_one : operand(expression::operand_count(op) == 1 ? a : b, n);
        int const to = take(n);
        if (op == Op::sqrt)
            assembler_.root(to, last);
        else
            assembler_.calculate(binary(op), to, first, last);
        if (int const old = find(result); old >= 0) held_[at(old)] = {};
        held_[at(to)] = {result, true};
    }

    /// What the operation is with 1 or -1.
    static Op binary(Op op) { return op == Op::negate ? Op::multiply : op == Op::reciprocal ? Op::divide : op; }

    static constexpr std::size_t at(int v) { return static_cast<std::size_t>(v); }
    int find(int number) const {
        for (int v = 0; v < vectors; ++v)
            if (held_[at(v)].number == number) return v;
        return -1;
    }
    Place in_memory(int number) const {
        return {layout_.is_repeated[static_cast<std::size_t>(number)] ? Place::Kind::repeated : Place::Kind::full,
                number * layout_.register_bytes};
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
    /// In a vector where it is in one already, or where this run needs it again.
    Place operand(int number, int n) {
        if (find(number) < 0 && next_use(number, n + 1) >= end_) return in_memory(number);
        return {Place::Kind::vector, in_vector(number, n)};
    }
    /// A vector that instruction `n` has not taken yet: a free one, or that whose number is needed last.
    int take(int n) {
        int best = -1, last = -1;
        for (int v = 0; v < vectors; ++v) {
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

    /// The first instruction from `n` on that reads what is in a register now; the program's size for outputs.
    int next_use(int number, int n) const {
        int const size = static_cast<int>(program_.code.size());
        for (; n < size; ++n) {
            auto const& [op, result, a, b, c] = program_.code[static_cast<std::size_t>(n)];
            if (op == Op::custom) {
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

    RegisterProgram const& program_;
    RegisterLayout const& layout_;
    Assembler& assembler_;
    int end_;
    std::array<Held, vectors> held_{};
    unsigned busy_ = 0;  // a bit for each vector that the present instruction uses
};

}  // namespace

MachineCode::MachineCode(RegisterProgram const& program, RegisterLayout const& layout) {
    if (layout.vector_bytes != 32 && layout.vector_bytes != 64) return;
    auto const assembler = std::make_shared<Assembler>(layout);
    std::vector<std::size_t> starts;
    int const size = static_cast<int>(program.code.size());
    auto const is_done = [&](int n) { return is_done_here(program.code[static_cast<std::size_t>(n)].op); };
    for (int begin = 0, end = 0; begin < size; begin = end) {
        for (end = begin; end < size && is_done(end);) ++end;
        if (end == begin) {
            ++end;
            continue;
        }
        starts.push_back(assembler->size());
        Translation(program, layout, *assembler, end).write(begin);
        runs_.push_back({begin, end, nullptr});
    }
    if (runs_.empty()) return;
    try {
        auto const* const code = assembler->finish();
        for (std::size_t n = 0; n < runs_.size(); ++n)
            runs_[n].function = reinterpret_cast<Function>(reinterpret_cast<std::uintptr_t>(code + starts[n]));
        memory_ = assembler;
    } catch (Xbyak::Error const&) {
        runs_.clear();  // there is no memory for code
    }
}

}  // namespace trotter

#else

namespace trotter {
MachineCode::MachineCode(expression::RegisterProgram const&, RegisterLayout const&) {}
}  // namespace trotter

#endif
