// Arithmetic of register programs as instructions of x86 processors.
// SPDX-License-Identifier: MIT
#include <trotter/host/machine_code.hpp>

#if defined(__x86_64__) && defined(__unix__)

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <utility>

namespace trotter {

namespace {

using expression::Op;
using expression::RegisterProgram;

/// Where the second operand of an instruction is.
struct Operand {
    enum class Kind { vector, full, repeated, constant } kind;
    int place;  ///< the vector's number, or bytes from where the registers or constants begin
};

/// The bytes of instructions, which stand in Intel's Software Developer's Manual, volume 2: VEX and EVEX prefixes in
/// sections 2.3 and 2.7. In the loop that this writes, rdi points to the registers and rdx to constants; eax counts
/// bytes up to esi, and ecx those within a tile.
class Assembler {
public:
    static constexpr int move = 0x28, store = 0x29;

    explicit Assembler(RegisterLayout const& layout) : layout_(layout) {}

    std::size_t size() const { return bytes_.size(); }
    std::vector<unsigned char> const& bytes() const { return bytes_; }

    void begin(void const* constants) {
        write({0x48, 0xBA});  // mov rdx, constants
        append(constants);
        write({0x31, 0xC0});  // xor eax, eax
        loop_ = size();
        write({0x89, 0xC1, 0x81, 0xE1});  // mov ecx, eax; and ecx, tile - 1
        append(layout_.tile_bytes - 1);
    }
    void end() {
        write({0x05});  // add eax, vector
        append(layout_.vector_bytes);
        write({0x39, 0xF0, 0x0F, 0x82});  // cmp eax, esi; jb to the loop's begin
        append(static_cast<int>(loop_) - static_cast<int>(size() + sizeof(int)));
        write({0xC5, 0xF8, 0x77, 0xC3});  // vzeroupper; ret
    }
    /// With one operand `first` is 0.
    void instruction(int opcode, int result, int first, Operand const& second) {
        bool const is_vector = second.kind == Operand::Kind::vector, is_double = layout_.number_bytes == 8;
        int const extension = (result < 8 ? 0x80 : 0) | 0x40 | (is_vector && second.place >= 8 ? 0 : 0x20),
                  sources = (~first & 15) << 3 | 4 | (is_double ? 1 : 0);
        if (layout_.vector_bytes == 64)
            write({0x62, extension | 0x11, sources | (is_double ? 0x80 : 0), 0x48});
        else
            write({0xC4, extension | 1, sources});
        write({opcode});
        int const low = (result & 7) << 3;
        if (is_vector) {
            write({0xC0 | low | (second.place & 7)});
            return;
        }
        if (second.kind == Operand::Kind::constant)
            write({0x82 | low});
        else
            write({0x84 | low, second.kind == Operand::Kind::full ? 0x07 : 0x0F});
        append(second.place);
    }

private:
    void write(std::initializer_list<int> bytes) {
        for (int const byte : bytes) bytes_.push_back(static_cast<unsigned char>(byte));
    }
    template <class T> void append(T const& number) {
        std::array<unsigned char, sizeof(T)> bytes;
        std::memcpy(bytes.data(), &number, sizeof(T));
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    }

    RegisterLayout const& layout_;
    std::vector<unsigned char> bytes_;
    std::size_t loop_ = 0;
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

/// The opcode of an operation, -1 where it is none that is done here.
int opcode_of(Op op) {
    switch (op) {
        case Op::add:
            return 0x58;
        case Op::multiply:
        case Op::negate:
            return 0x59;
        case Op::subtract:
            return 0x5C;
        case Op::min:
            return 0x5D;
        case Op::divide:
        case Op::reciprocal:
            return 0x5E;
        case Op::max:
            return 0x5F;
        case Op::sqrt:
            return 0x51;
        default:
            return -1;
    }
}

/// Writes the function of one run of instructions. The processor's vectors remember what registers hold, and only what
/// is read later goes back to memory.
class Translation {
    static constexpr int vectors = 16, never = std::numeric_limits<int>::max();

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
        int first = 0;
        if (op == Op::reciprocal) {
            first = take(n);
            assembler_.instruction(Assembler::move, first, 0, {Operand::Kind::constant, 0});
        } else if (op != Op::sqrt)
            first = in_vector(a, n);
        Operand const last = op == Op::negate ? Operand{Operand::Kind::constant, 64}
                                              : operand(expression::operand_count(op) == 1 ? a : b, n);
        int const to = take(n);
        assembler_.instruction(opcode_of(op), to, first, last);
        if (int const old = find(result); old >= 0) held_[at(old)] = {};
        held_[at(to)] = {result, true};
    }

    static constexpr std::size_t at(int v) { return static_cast<std::size_t>(v); }
    int find(int number) const {
        for (int v = 0; v < vectors; ++v)
            if (held_[at(v)].number == number) return v;
        return -1;
    }
    Operand in_memory(int number) const {
        return {layout_.is_repeated[static_cast<std::size_t>(number)] ? Operand::Kind::repeated : Operand::Kind::full,
                number * layout_.register_bytes};
    }
    int in_vector(int number, int n) {
        int v = find(number);
        if (v < 0) {
            v = take(n);
            assembler_.instruction(Assembler::move, v, 0, in_memory(number));
            held_[at(v)] = {number, false};
        }
        busy_ |= 1u << v;
        return v;
    }
    /// In a vector where it is in one already, or where this run needs it again.
    Operand operand(int number, int n) {
        if (find(number) < 0 && next_use(number, n + 1) >= end_) return in_memory(number);
        return {Operand::Kind::vector, in_vector(number, n)};
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
    void store(int v) { assembler_.instruction(Assembler::store, v, 0, in_memory(held_[at(v)].number)); }

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

/// A copy that may be executed; null where the system refuses that.
std::shared_ptr<void const> executable(std::vector<unsigned char> const& bytes) {
    std::size_t const size = bytes.size();
    void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    std::shared_ptr<void const> result(memory, [size](void const* p) { munmap(const_cast<void*>(p), size); });
    std::memcpy(memory, bytes.data(), size);
    return mprotect(memory, size, PROT_READ | PROT_EXEC) == 0 ? result : nullptr;
}

}  // namespace

MachineCode::MachineCode(expression::RegisterProgram const& program, RegisterLayout const& layout) {
    if (layout.vector_bytes != 32 && layout.vector_bytes != 64) return;
    Assembler assembler(layout);
    std::vector<std::size_t> starts;
    int const size = static_cast<int>(program.code.size());
    auto const is_done_here = [&](int n) { return opcode_of(program.code[static_cast<std::size_t>(n)].op) >= 0; };
    for (int begin = 0, end = 0; begin < size; begin = end) {
        for (end = begin; end < size && is_done_here(end);) ++end;
        if (end == begin) {
            ++end;
            continue;
        }
        starts.push_back(assembler.size());
        Translation(program, layout, assembler, end).write(begin);
        runs_.push_back({begin, end, nullptr});
    }
    if (!runs_.empty()) memory_ = executable(assembler.bytes());
    if (!memory_) runs_.clear();
    for (std::size_t n = 0; n < runs_.size(); ++n)
        runs_[n].function = reinterpret_cast<Function>(reinterpret_cast<std::uintptr_t>(memory_.get()) + starts[n]);
}

}  // namespace trotter

#else

namespace trotter {
MachineCode::MachineCode(expression::RegisterProgram const&, RegisterLayout const&) {}
}  // namespace trotter

#endif
