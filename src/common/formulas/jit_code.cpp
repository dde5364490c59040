// JIT compiler for runs of a register program's instructions, as loops over all lanes.
// SPDX-License-Identifier: MIT
#include <trotter/common/formulas/jit_code.hpp>

#ifdef TROTTER_HAVE_XBYAK

#include "vector_code.hpp"

namespace trotter {

namespace {

/// Generates functions that loop over the SIMD vectors of all registers. rdi: registers, rdx: constants, eax: byte
/// offset up to esi, ecx: byte offset within a tile.
class RunWriter {
public:
    RunWriter(expression::RegisterProgram const& program, RegisterLayout const& layout, VectorAssembler& assembler)
        : program_(program), layout_(layout), assembler_(assembler) {
        for (std::size_t n = 0; n < layout.is_repeated.size(); ++n)
            memory_.push_back(Operand::memory(code_.rdi + (layout.is_repeated[n] ? code_.rcx : code_.rax)
                                              + n * static_cast<std::size_t>(layout.register_bytes)));
    }

    /// Returns the offset of the function.
    std::size_t write(int begin, int end) {
        std::size_t const start = code_.getSize();
        assembler_.point_to_constants(code_.rdx);
        code_.xor_(code_.eax, code_.eax);
        Xbyak::Label loop;
        code_.L(loop);
        code_.mov(code_.ecx, code_.eax);
        code_.and_(code_.ecx, static_cast<std::uint32_t>(layout_.tile_bytes - 1));
        Translation translation(program_, memory_, assembler_, 0, vectors);
        translation.write(begin, end);
        translation.store_all();
        code_.add(code_.eax, static_cast<std::uint32_t>(layout_.vector_bytes));
        code_.cmp(code_.eax, code_.esi);
        code_.jb(loop, Xbyak::CodeGenerator::T_NEAR);
        code_.vzeroupper();
        code_.ret();
        return start;
    }

private:
    static constexpr int vectors = 16;

    expression::RegisterProgram const& program_;
    RegisterLayout const& layout_;
    VectorAssembler& assembler_;
    Xbyak::CodeGenerator& code_ = assembler_.code;
    std::vector<Operand> memory_;
};

}  // namespace

JitCode::JitCode(expression::RegisterProgram const& program, RegisterLayout const& layout) {
    if (layout.vector_bytes != 32 && layout.vector_bytes != 64) return;
    auto const assembler = std::make_shared<VectorAssembler>(layout.number_bytes, layout.vector_bytes);
    RunWriter writer(program, layout, *assembler);
    std::vector<std::size_t> starts;
    int const size = static_cast<int>(program.code.size());
    auto const is_done = [&](int n) { return Translation::is_known(program.code[static_cast<std::size_t>(n)].op); };
    for (int begin = 0, end = 0; begin < size; begin = end) {
        for (end = begin; end < size && is_done(end);) ++end;
        if (end == begin) {
            ++end;
            continue;
        }
        starts.push_back(writer.write(begin, end));
        runs_.push_back({begin, end, nullptr});
    }
    if (runs_.empty()) return;
    try {
        auto const* const code = assembler->finish();
        for (std::size_t n = 0; n < runs_.size(); ++n)
            runs_[n].function = reinterpret_cast<Function>(reinterpret_cast<std::uintptr_t>(code + starts[n]));
        memory_ = assembler;
    } catch (Xbyak::Error const&) {
        runs_.clear();  // no executable memory
    }
}

}  // namespace trotter

#else

namespace trotter {
JitCode::JitCode(expression::RegisterProgram const&, RegisterLayout const&) {}
}  // namespace trotter

#endif
