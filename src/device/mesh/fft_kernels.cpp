// Generates the FFT kernels of a mesh.
// SPDX-License-Identifier: MIT
#include <string>

#include <trotter/device/mesh/fft_kernels.hpp>

namespace trotter::device {
namespace {

class FftKernels {
public:
    FftKernels(FftPlan const& plan, FftHooks const& hooks, FftParameters const& parameters, std::string const& suffix)
        : plan_(plan), hooks_(hooks), parameters_(parameters), suffix_(suffix) {}

    std::string text() const {
        auto const [nx, ny, nz] = plan_.size;
        std::string result = define("NX", nx) + define("NY", ny) + define("NZ", nz) + define("USED", plan_.used())
                             + define("PAIRS", plan_.pairs) + define("ROWS", plan_.rows_per_block());
        result += fft_function("transform_rows", {nz, plan_.pairs, nz, 1}, suffix_);
        if (plan_.whole_planes) result += fft_function("transform_plane", {ny, plan_.used(), 1, plan_.used()}, suffix_);
        result += fft_function("transform_x", plan_.x.local(), suffix_);
        result += load_rows() + store_rows();
        if (!plan_.whole_planes) {
            result += fft_function("transform_y", plan_.y.local(), suffix_);
            result += columns("fft_forward", "transform_y", plan_.y, {}) + columns("fft_backward", "transform_y", plan_.y, {});
        }
        return result + columns("fft_middle", "transform_x", plan_.x, back_again());
    }

private:
    static std::string define(std::string const& name, int value) {
        return "#undef FFT_" + name + "\n#define FFT_" + name + ' ' + std::to_string(value) + '\n';
    }
    static std::string buffers(int numbers) {
        std::string const n = '[' + std::to_string(numbers) + ']';
        return "LOCAL real2 first" + n + ", second" + n + ";\n";
    }
    static std::string other(std::string const& buffer) { return buffer == "first" ? "second" : "first"; }

    std::string row_kernel(std::string const& name, std::string const& parameters) const {
        return "KERNEL void " + name + '(' + parameters + ") {\n" + buffers(plan_.row_numbers()) + row_loop();
    }
    /// `start` is the first row of a work-group's block among those of all meshes, `rows` the number of rows in the
    /// block.
    std::string row_loop() const {
        if (plan_.meshes == 1)
            return "for (int start = GROUP_ID*FFT_ROWS; start < FFT_NX*FFT_NY; start += NUM_GROUPS*FFT_ROWS) {\n"
                   "const int rows = FFT_NX*FFT_NY - start < FFT_ROWS ? FFT_NX*FFT_NY - start : FFT_ROWS;\n";
        std::string const blocks = std::to_string(plan_.blocks_per_mesh());
        return "for (int block = GROUP_ID; block < " + std::to_string(plan_.row_blocks()) + "; block += NUM_GROUPS) {\n"
               + "const int in_mesh = block % " + blocks + "*FFT_ROWS, start = block/" + blocks + "*FFT_NX*FFT_NY + in_mesh;\n"
               + "const int rows = FFT_NX*FFT_NY - in_mesh < FFT_ROWS ? FFT_NX*FFT_NY - in_mesh : FFT_ROWS;\n";
    }
    /// Transforms `from` along y; sets `from` to the output buffer.
    std::string transform_plane(std::string& from) const {
        if (!plan_.whole_planes) return {};
        std::string const before = from;
        from = fft_result(plan_.size[1], from, other(from));
        return "transform_plane(" + before + ", " + other(before) + ", roots_y);\n";
    }

    std::string load_rows() const {
        std::string const z = fft_result(plan_.size[2], "first", "second");
        std::string y = other(z);
        std::string text = row_kernel("fft_load", parameters_.load) + R"(
            for (int item = LOCAL_ID; item < FFT_PAIRS*FFT_NZ; item += LOCAL_SIZE) {
                const int row = item/FFT_NZ*2, at = (start + row)*FFT_NZ + item % FFT_NZ;
                real2 value = make_real2(0, 0);
                if (row < rows) value.x = LOAD(at);
                if (row + 1 < rows) value.y = LOAD(at + FFT_NZ);
                first[item] = value;
            }
            SYNC_THREADS
            transform_rows(first, second, roots_z);
            for (int item = LOCAL_ID; item < FFT_PAIRS*FFT_USED; item += LOCAL_SIZE) {
                const int pair = item/FFT_USED, z = item % FFT_USED, to = 2*pair*FFT_USED + z;
                const real2 a = ROWS_DONE[pair*FFT_NZ + z], b = ROWS_DONE[pair*FFT_NZ + (z == 0 ? 0 : FFT_NZ - z)];
                SPLIT[to] = make_real2((a.x + b.x)/2, (a.y - b.y)/2);
                if (2*pair + 1 < rows) SPLIT[to + FFT_USED] = make_real2((a.y + b.y)/2, (b.x - a.x)/2);
            }
            SYNC_THREADS
        )";
        text = "#undef LOAD\n#define LOAD(at) (" + hooks_.load + ")\n#undef ROWS_DONE\n#define ROWS_DONE " + z
               + "\n#undef SPLIT\n#define SPLIT " + y + '\n' + text;
        text += transform_plane(y);
        return text + "for (int item = LOCAL_ID; item < rows*FFT_USED; item += LOCAL_SIZE) spectrum[start*FFT_USED + item] = " + y
               + "[item];\nSYNC_THREADS\n}\n}\n";
    }

    std::string store_rows() const {
        std::string lines = "first";
        std::string const plane = transform_plane(lines), joined = other(lines), done = fft_result(plan_.size[2], joined, lines);
        return "#undef ROWS_DONE\n#define ROWS_DONE " + done + "\n#undef SPLIT\n#define SPLIT " + lines
               + "\n#undef JOINED\n#define JOINED " + joined + '\n' + row_kernel("fft_store", parameters_.store) + R"(
            for (int item = LOCAL_ID; item < 2*FFT_PAIRS*FFT_USED; item += LOCAL_SIZE)
                first[item] = item < rows*FFT_USED ? spectrum[start*FFT_USED + item] : make_real2(0, 0);
            SYNC_THREADS
        )" + plane
               + R"(
            for (int item = LOCAL_ID; item < FFT_PAIRS*FFT_NZ; item += LOCAL_SIZE) {
                const int pair = item/FFT_NZ, z = item % FFT_NZ;
                const int from = 2*pair*FFT_USED + (z < FFT_USED ? z : FFT_NZ - z);
                const real2 a = SPLIT[from];
                real2 b = make_real2(0, 0);
                if (2*pair + 1 < rows) b = SPLIT[from + FFT_USED];
                JOINED[item] = z < FFT_USED ? make_real2(a.x + b.y, a.y - b.x) : make_real2(b.y - a.x, a.y + b.x);
            }
            SYNC_THREADS
            transform_rows(JOINED, SPLIT, roots_z);
            for (int item = LOCAL_ID; item < rows*FFT_NZ; item += LOCAL_SIZE) {
                const int row = item/FFT_NZ, at = start*FFT_NZ + item;
                const real2 both = ROWS_DONE[row/2*FFT_NZ + item % FFT_NZ];
                const real value = row % 2 == 0 ? both.y : both.x;
                )"
               + hooks_.store + R"(
            }
            SYNC_THREADS
            }
            })" + "\n";
    }

    /// The part of fft_middle between the two transforms.
    std::string back_again() const {
        std::string const done = fft_result(plan_.size[0], "first", "second");
        return "for (int item = LOCAL_ID; item < FFT_SIZE*FFT_LINES; item += LOCAL_SIZE) {\n"
               "const int x = item/FFT_LINES, column = start + item % FFT_LINES;\n"
               "if (column < FFT_COLUMNS) {\nreal2 value = " + done + "[item];\n" + hooks_.middle + '\n' + done
               + "[item] = make_real2(value.y, value.x);\n}\n}\nSYNC_THREADS\n";
    }

    /// Transforms lines along x or y in place; `middle`, if any, separates a first and a second transform.
    std::string columns(std::string const& name, std::string const& transform, FftColumns const& c,
                        std::string const& middle) const {
        bool const is_middle = !middle.empty();
        std::string result = fft_result(c.size, "first", "second");
        std::string steps = transform + "(first, second, roots);\n";
        if (is_middle) {
            steps += middle + transform + '(' + result + ", " + other(result) + ", roots);\n";
            result = fft_result(c.size, result, other(result));
        }
        return define("SIZE", c.size) + define("LINES", c.lines) + define("COLUMNS", c.columns)
               + define("BLOCKS", c.blocks_per_plane()) + define("GROUP", c.group) + "KERNEL void " + name + '('
               + (is_middle ? parameters_.middle : fft_line_parameters) + ") {\n" + buffers(c.lines * c.size)
               + (is_middle ? hooks_.before_middle : "") + "for (int block = GROUP_ID; block < "
               + std::to_string(c.blocks()) + R"(; block += NUM_GROUPS) {
                const int start = block % FFT_BLOCKS*FFT_LINES, origin = block/FFT_BLOCKS*FFT_SIZE*FFT_COLUMNS + start;
                for (int item = LOCAL_ID; item < FFT_SIZE*FFT_LINES; item += LOCAL_SIZE)
                    if (start + item % FFT_LINES < FFT_COLUMNS)
                        first[item] = spectrum[origin + item/FFT_LINES*FFT_COLUMNS + item % FFT_LINES];
                SYNC_THREADS
                )"
               + steps + R"(
                for (int item = LOCAL_ID; item < FFT_SIZE*FFT_LINES; item += LOCAL_SIZE)
                    if (start + item % FFT_LINES < FFT_COLUMNS)
                        spectrum[origin + item/FFT_LINES*FFT_COLUMNS + item % FFT_LINES] = )"
               + result + R"([item];
                SYNC_THREADS
                })"
               + (is_middle ? hooks_.after_middle : "") + "}\n";
    }

    FftPlan plan_;
    FftHooks hooks_;
    FftParameters parameters_;
    std::string suffix_;
};

}  // namespace

std::string fft_text(FftPlan const& plan, FftHooks const& hooks, FftParameters const& parameters,
                     std::string const& suffix) {
    return FftKernels(plan, hooks, parameters, suffix).text();
}

}  // namespace trotter::device
