// Generates the kernels of a step.
// SPDX-License-Identifier: MIT
#include <trotter/device/integration/section_text.hpp>

#include <string>

#include <trotter/device/constraints/cluster_text.hpp>
#include <trotter/device/constraints/network_text.hpp>
#include <trotter/kernels/noise.hpp>

namespace trotter::device {

std::string SectionText::defines() const {
    // With more groups than run concurrently, fewer registers let more of them hide memory latency.
    return std::string("#define SECTION_BOUNDS ") + (are_many ? "GROUP_BOUNDS(64, 8)\n" : "\n") + noise_define()
           + kernels::noise + "#define NORMALS(n, atom) "
           + (draws_beforehand ? "trimTo3(drawn[(n)*PADDED_NUM_ATOMS + (atom)])\n"
                               : "normals(seed, stream, draw + (n), atom)\n");
}

std::string SectionText::noise_define() const {
    if (copies == 1) return "#define NOISE_OF(atom) noise\n";
    return "#define NOISE_OF(atom) (noise*stored[" + std::to_string(numbers_of_step) + " + (atom)/(NUM_ATOMS/COPIES)])\n";
}

std::string SectionText::first_draw() const {
    return "const mm_ulong draw = (counter[0] - 1)*" + std::to_string(sequence.draws_of_step) + ";\n";
}

std::string SectionText::noise_kernel() const {
    if (!draws_beforehand) return "";
    return std::string("KERNEL void draw_noise(") + noise_parameters + ") {\n" + first_draw()
           + "for (int i = GLOBAL_ID; i < " + std::to_string(sequence.draws_before(sequence.operators.size()))
           + R"(*PADDED_NUM_ATOMS; i += GLOBAL_SIZE) {
    const real3 normal = normals(seed, stream, draw + i/PADDED_NUM_ATOMS, i % PADDED_NUM_ATOMS);
    drawn[i] = make_real4(normal.x, normal.y, normal.z, 0);
}
}
)";
}

std::string SectionText::kernel_begin(std::string const& name, std::string const& parameters) const {
    return name + '(' + parameters + (sequence.grouped.empty() ? "" : std::string(", ") + kept_parameter)
           + (slot_parameters.empty() ? "" : ", ") + slot_parameters + ") {\n" + step_numbers_text + first_draw();
}

std::string SectionText::small_kernel(std::string const& name, std::string const& loop) const {
    return kernel_begin("KERNEL void SECTION_BOUNDS " + name, SmallSectionList::text())
           + "if (GLOBAL_ID == 0 && forces[3*PADDED_NUM_ATOMS] != 0) {\n"
             "failures[0] = (int) forces[3*PADDED_NUM_ATOMS];\nforces[3*PADDED_NUM_ATOMS] = 0;\n}\n"
           + (places() ? "const Frame frame = frame_for(positions, box, 0);\n"
                                   "for (int copy = GLOBAL_ID; copy < COPIES; copy += GLOBAL_SIZE) "
                                   "list_marks[4*copy + 1] = list_marks[4*copy + 2];\n"
                                 : "")
           + loop + "}\n";
}

bool SectionText::kicks(Section const& section) const {
    for (std::size_t i = section.first; i < section.end; ++i)
        if (sequence.takes_new_forces(i)) return true;
    return false;
}

std::string SectionText::of_cluster(ClusterKind kind, Section const& section) const {
    std::string const clear = !kicks(section) ? "" : for_particles(kind, [&](std::string const& p) {
                                                         return keep_text(sequence, section.first, section.end, p)
                                                                + "clear_force(forces, atom" + p + ");";
                                                     }) + '\n';
    if (kind == ClusterKind::massless) return clear;
    auto const into_slot = [](std::string const& p) {
        return "fill_slot(frame, box, HALF_SKIN, slot_of[atom" + p + "], atom" + p + ", positions[atom" + p
               + "], slots, built, list_marks + 4*(atom" + p + "/COPY_ATOMS));";
    };
    std::string const place = places() && section.moves ? for_particles(kind, into_slot) : "";
    return for_particles(kind,
                         [](std::string const& p) {
                             return "coordinate3 x" + p + " = trimTo3(positions[atom" + p
                                    + "]);\nconst mixed4 stored" + p + " = velocities[atom" + p
                                    + "];\ncoordinate3 v" + p + " = make_coordinate3(stored" + p + ".x, stored" + p
                                    + ".y, stored" + p + ".z);\nconst coordinate w" + p + " = stored" + p
                                    + ".w;\nconst coordinate3 f" + p + " = force_on(forces, atom" + p + ");";
                         })
           + '\n' + clear + act_on_cluster(sequence, kind, section.first, section.end)
           + for_particles(kind,
                           [](std::string const& p) {
                               return "if (!(fabs(x" + p + ".x) + fabs(x" + p + ".y) + fabs(x" + p
                                      + ".z) < 1e30f)) failures[0] = atom" + p + " + 1;\npositions[atom" + p
                                      + "] = make_coordinate4(x" + p + ".x, x" + p + ".y, x" + p
                                      + ".z, 0);\nvelocities[atom" + p + "] = make_mixed4((mixed) v" + p
                                      + ".x, (mixed) v" + p + ".y, (mixed) v" + p + ".z, stored" + p + ".w);";
                           })
           + '\n' + place;
}

std::string SectionText::network_kernel(std::string const& name, Section const& section) const {
    return kernel_begin("KERNEL void " + name, NetworkSectionList::text())
           + "LOCAL int marks[3];\nfor (int n = first_batch + GROUP_ID; n < end_batch; n += NUM_GROUPS) {\n"
             "const NetworkBatch batch = batch_at(batches, n);\n"
           + act_on_network(sequence, section.first, section.end) + "}\n}\n";
}

}  // namespace trotter::device
