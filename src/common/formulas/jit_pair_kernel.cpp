// JIT compiler for the pair loop of a register program, for x86.
// SPDX-License-Identifier: MIT
#include <trotter/common/formulas/jit_pair_kernel.hpp>

#ifdef TROTTER_HAVE_XBYAK

#include <xbyak/xbyak_util.h>

#include "vector_code.hpp"

namespace trotter {

namespace {

/// Generates the function. rdi: frame, rsi: second particles up to rdx, rcx: masks, r8: coordinates of first particles,
/// r9: their forces, rax: constants, r10: start of second particles, r11d: count of first ones. A loop iteration
/// processes one SIMD vector of second particles: distances and 1/r for all first particles in registers, so that
/// independent instructions are close together; then the program for each of them; then forces.
class PairWriter {
    using Constant = VectorConstants<float>;

public:
    PairWriter(expression::RegisterProgram const& program, JitPairArguments const& arguments,
               JitPairLayout const& layout, JitPairKernel const& frame, VectorAssembler& assembler)
        : program_(program), arguments_(arguments), layout_(layout), frame_(frame), assembler_(assembler) {}

    void write() {
        assembler_.point_to_constants(code_.rax);
        if (arguments_.has_energy) assembler_.load(energies, in_frame(frame_.energy()));
        code_.mov(code_.r10, code_.rsi);
        code_.mov(code_.r11d, number(layout_.first_particles / layout_.at_once));
        Xbyak::Label next;
        code_.L(next);
        for_first_and_axes([&](int i, int axis) {
            load_position(i, axis);
            assembler_.load(force(i, axis), force_of_first(i, axis));
        });
        write_loop();
        for_first_and_axes([&](int i, int axis) { assembler_.store(force(i, axis), force_of_first(i, axis)); });
        code_.add(code_.r8, number(layout_.number_bytes * layout_.at_once));
        code_.add(code_.r9, number(layout_.vector_bytes * layout_.at_once));
        code_.dec(code_.r11d);
        code_.jnz(next, Xbyak::CodeGenerator::T_NEAR);
        if (arguments_.has_energy) assembler_.store(energies, in_frame(frame_.energy()));
        code_.vzeroupper();
        code_.ret();
    }

private:
    // SIMD registers: 32 of 64 bytes, or 16 of 32; the latter are too few for coordinates, which then stay in the
    // frame.
    static constexpr int energies = 0;
    int force(int i, int axis) const { return 1 + 3 * i + axis; }
    int distance(int i, int axis) const { return force(layout_.at_once + i, axis); }
    int force_over_r(int i) const { return distance(layout_.at_once, i); }
    int square(int i) const { return force_over_r(layout_.at_once) + 2 * i; }
    int inverse(int i) const { return square(i) + 1; }
    int first_position() const { return square(layout_.at_once); }
    int first_free() const { return first_position() + (assembler_.is_wide ? 3 * layout_.at_once : 0); }
    int last_vector() const { return assembler_.is_wide ? 32 : 16; }
    Operand position(int i, int axis) const {
        if (!assembler_.is_wide) return in_frame(frame_.energy() + 2 + axis);
        return Operand::vector(first_position() + 3 * i + axis);
    }
    void load_position(int i, int axis) {
        Operand const to = position(i, axis);
        int const v = assembler_.is_wide ? to.number : first_free();
        assembler_.load(v, of_first(i, axis * layout_.next_first));
        if (!assembler_.is_wide) assembler_.store(v, to);
    }
    /// Mask of the only first particle, without mask registers.
    Operand mask_in_memory() const { return in_frame(frame_.energy() + 1); }

    /// Loop over second particles, for the first ones in registers.
    void write_loop() {
        code_.mov(code_.rsi, code_.r10);
        code_.push(code_.rcx);
        Xbyak::Label loop;
        code_.align(64);
        code_.L(loop);
        for_first_and_axes([&](int i, int axis) { write_distance(i, axis); });
        for (int i = 0; i < layout_.at_once; ++i) write_mask(i);
        for (int i = 0; i < layout_.at_once; ++i) write_inverse_root(square(i), inverse(i), first_free());
        for (int i = 0; i < layout_.at_once; ++i) write_program(i);
        for (int axis = 0; axis < 3; ++axis) write_forces(axis);
        code_.add(code_.rsi, number(layout_.second_bytes));
        code_.add(code_.rcx, number(layout_.mask_bytes * layout_.first_particles));
        code_.cmp(code_.rsi, code_.rdx);
        code_.jb(loop, Xbyak::CodeGenerator::T_NEAR);
        code_.pop(code_.rcx);
        code_.add(code_.rcx, number(layout_.mask_bytes * layout_.at_once));
    }
    template <class Visit> void for_first_and_axes(Visit const& visit) const {
        for (int i = 0; i < layout_.at_once; ++i)
            for (int axis = 0; axis < 3; ++axis) visit(i, axis);
    }
    static std::uint32_t number(int n) { return static_cast<std::uint32_t>(n); }
    static std::size_t bytes(int n) { return static_cast<std::size_t>(n); }
    Operand in_frame(int vector) const { return Operand::memory(code_.rdi + bytes(layout_.vector_bytes * vector)); }
    Operand of_first(int i, int at) const { return Operand::scalar(code_.r8 + bytes(at + layout_.number_bytes * i)); }
    Operand of_second(int at) const { return Operand::memory(code_.rsi + bytes(at)); }
    Operand force_of_first(int i, int axis) const {
        return Operand::memory(code_.r9 + bytes(layout_.next_force * axis + layout_.vector_bytes * i));
    }

    void write_distance(int i, int axis) {
        int const d = distance(i, axis);
        assembler_.load(d, of_second(layout_.coordinates + axis * layout_.vector_bytes));
        assembler_.calculate(expression::Op::subtract, d, d, position(i, axis));
        if (axis == 0) assembler_.load(square(i), assembler_.constant(Constant::least_square));
        assembler_.add_product(square(i), d, Operand::vector(d));
    }

    Xbyak::Opmask mask(int i) const { return Xbyak::Opmask(1 + i); }
    /// Masks pairs that are beyond the cutoff or excluded.
    void write_mask(int i) {
        constexpr std::uint8_t less_or_equal = 2;
        auto const r2 = assembler_.vector(square(i));
        auto const cutoff = assembler_.at(in_frame(frame_.cutoff()));
        auto const counting = code_.ptr[code_.rcx + bytes(i * layout_.mask_bytes)];
        if (assembler_.is_wide) {
            code_.kmovw(mask(i), counting);
            assembler_.is_double ? code_.vcmppd(mask(i) | mask(i), r2, cutoff, less_or_equal)
                                 : code_.vcmpps(mask(i) | mask(i), r2, cutoff, less_or_equal);
        } else {
            auto const within = assembler_.vector(force_over_r(i));
            assembler_.is_double ? code_.vcmppd(within, r2, cutoff, less_or_equal)
                                 : code_.vcmpps(within, r2, cutoff, less_or_equal);
            code_.vandps(within, within, counting);
            assembler_.store(force_over_r(i), mask_in_memory());
        }
    }
    /// Sets `to` to `from` for unmasked pairs, else to 0, even if `from` is NaN.
    void write_kept(int i, int to, int from) {
        auto const result = assembler_.vector(to), x = assembler_.vector(from);
        if (assembler_.is_wide) {
            auto const kept = result | mask(i) | Xbyak::util::T_z;
            assembler_.is_double ? code_.vmovapd(kept, x) : code_.vmovaps(kept, x);
        } else
            code_.vandps(result, x, assembler_.at(mask_in_memory()));
    }

    /// 1/sqrt(x) as in the compiled pair loops: an estimate y, and a series in e = 1 - x y².
    void write_inverse_root(int x, int y, int free) {
        auto const from = assembler_.vector(x), to = assembler_.vector(y);
        if (assembler_.is_double && !assembler_.is_wide) {
            assembler_.root(free, Operand::vector(x));
            assembler_.load(y, assembler_.constant(Constant::one));
            return assembler_.calculate(expression::Op::divide, y, y, Operand::vector(free));
        }
        if (!assembler_.is_wide)
            code_.vrsqrtps(to, from);
        else
            assembler_.is_double ? code_.vrsqrt14pd(to, from) : code_.vrsqrt14ps(to, from);
        int const e = free, h = free + 1, series = free + 2;
        assembler_.calculate(expression::Op::multiply, e, x, Operand::vector(y));
        assembler_.multiply_subtract_from(e, y, assembler_.constant(Constant::one));
        if (!assembler_.is_double) {
            code_.vpsubd(assembler_.vector(h), to, assembler_.at(assembler_.exponent_step()));
            return assembler_.add_product(y, h, Operand::vector(e));
        }
        assembler_.load(series, assembler_.constant(Constant::five_sixteenths));
        assembler_.multiply_add(series, e, assembler_.constant(Constant::three_eighths));
        assembler_.multiply_add(series, e, assembler_.constant(Constant::half));
        assembler_.calculate(expression::Op::multiply, h, y, Operand::vector(e));
        assembler_.add_product(y, h, Operand::vector(series));
    }

    /// Runs the program for first particle `i`: forces over distances, and energies, of unmasked pairs.
    void write_program(int i) {
        auto const memory = places(i);
        Translation translation(program_, memory, assembler_, square(i), last_vector());
        for (int v = square(i) + 2; v < first_free(); ++v) translation.leave(v);
        translation.hold(arguments_.square, square(i));
        translation.hold(arguments_.inverse, inverse(i));
        if (arguments_.distance >= 0) {
            assembler_.calculate(expression::Op::multiply, first_free(), square(i), Operand::vector(inverse(i)));
            translation.hold(arguments_.distance, first_free());
        }
        translation.write(0, static_cast<int>(program_.code.size()));
        int const virial = translation.result(program_.outputs[0]), root = translation.result(arguments_.inverse);
        assembler_.calculate(expression::Op::multiply, force_over_r(i), root, Operand::vector(root));
        assembler_.calculate(expression::Op::multiply, force_over_r(i), virial, Operand::vector(force_over_r(i)));
        write_kept(i, force_over_r(i), force_over_r(i));
        if (!arguments_.has_energy) return;
        int const energy = translation.result(program_.outputs[1]), kept = translation.free_vector();
        write_kept(i, kept, energy);
        assembler_.calculate(expression::Op::add, energies, energies, Operand::vector(kept));
    }
    /// Operands of the program's registers for first particle `i`.
    std::vector<Operand> places(int i) const {
        std::vector<Operand> result;
        for (int n = 0; n < program_.registers; ++n) result.push_back(in_frame(n));
        for (auto const& [number, column, is_second] : arguments_.parameters)
            result[bytes(number)] = is_second ? of_second(layout_.parameters + column * layout_.vector_bytes)
                                              : of_first(i, layout_.first_parameters + column * layout_.next_first);
        return result;
    }

    void write_forces(int axis) {
        Operand const on_second = of_second(layout_.forces + axis * layout_.vector_bytes);
        int const sum = first_free();
        assembler_.load(sum, on_second);
        for (int i = 0; i < layout_.at_once; ++i) {
            assembler_.subtract_product(sum, force_over_r(i), Operand::vector(distance(i, axis)));
            assembler_.subtract_product(force(i, axis), force_over_r(i), Operand::vector(distance(i, axis)));
        }
        assembler_.store(sum, on_second);
    }

    expression::RegisterProgram const& program_;
    JitPairArguments const& arguments_;
    JitPairLayout const& layout_;
    JitPairKernel const& frame_;
    VectorAssembler& assembler_;
    Xbyak::CodeGenerator& code_ = assembler_.code;
};

bool can_be_written(expression::RegisterProgram const& program, JitPairLayout const& layout) {
    if (layout.vector_bytes != 32 && layout.vector_bytes != 64) return false;
    Xbyak::util::Cpu const processor;
    if (!processor.has(Xbyak::util::Cpu::tAVX2) || !processor.has(Xbyak::util::Cpu::tFMA)) return false;
    return std::ranges::all_of(program.code,
                               [](auto const& instruction) { return Translation::is_known(instruction.op); });
}

}  // namespace

JitPairKernel::JitPairKernel(expression::RegisterProgram const& program, JitPairArguments const& arguments,
                             JitPairLayout const& layout)
    : registers_(program.registers) {
    if (!can_be_written(program, layout)) return;
    auto with_inverse = program;  // which is read after the program
    with_inverse.outputs.push_back(arguments.inverse);
    auto const assembler = std::make_shared<VectorAssembler>(layout.number_bytes, layout.vector_bytes);
    PairWriter(with_inverse, arguments, layout, *this, *assembler).write();
    try {
        function_ = reinterpret_cast<Function>(reinterpret_cast<std::uintptr_t>(assembler->finish()));
        memory_ = assembler;
    } catch (Xbyak::Error const&) {
        // No executable memory.
    }
}

}  // namespace trotter

#else

namespace trotter {
JitPairKernel::JitPairKernel(expression::RegisterProgram const&, JitPairArguments const&, JitPairLayout const&) {}
}  // namespace trotter

#endif
