// Compares files that a command reads with those that it writes.
// SPDX-License-Identifier: MIT
#include "output_names.hpp"

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>

#include "io/files/descriptor.hpp"
#include "run_folder.hpp"

namespace trotter::program {
namespace {

namespace fs = std::filesystem;

struct NamedFile {
    std::string option, path;
};

/// Whether a path has contents that could be lost, unlike terminals, pipes and /dev/null.
bool is_stored(std::string const& path) {
    std::error_code error;
    auto const status = fs::status(path, error);
    return !path.empty() && path != "-" && (!fs::exists(status) || fs::is_regular_file(status));
}

/// Canonical path of a file that may not exist yet, with links followed.
fs::path place_of(std::string const& path) {
    std::error_code error;
    auto const place = fs::absolute(detail::follow_links(path), error);
    auto const folder = fs::weakly_canonical(place.parent_path(), error);
    return error ? fs::path() : folder / place.filename();
}

bool is_same(std::string const& a, std::string const& b) {
    if (!is_stored(a) || !is_stored(b)) return false;
    std::error_code error;
    if (fs::equivalent(a, b, error)) return true;
    auto const first = place_of(a);
    return !first.empty() && first == place_of(b);
}

/// Throws InputError for names that are not UTF-8: the run could not be resumed from its run.toml.
void check_utf8(std::vector<NamedFile> const& read, std::string const& output) {
    auto const check = [](std::string const& option, std::string const& path) {
        if (auto const whole = path.empty() ? path : fs::absolute(path).string(); !is_utf8(whole))
            throw InputError(option + " is " + in_quotes(whole, 200) + ", expected a name in UTF-8, as run.toml holds it");
    };
    for (auto const& [option, path] : read) check(option, path);
    check("--output", output);
}

std::vector<NamedFile> files_of_a_run(Options const& options) {
    RunFiles const files{options.output};
    std::vector<NamedFile> result;
    for (auto const& path : {files.log(), files.trajectory("dcd"), files.trajectory("xtc"), files.trajectory("nc"),
                             files.checkpoint(), files.previous_checkpoint(), files.final_state(), files.input()})
        result.push_back({"the run's own file", path});
    if (auto const copy = files.folder / fs::path(options.topology).filename();
        !options.topology.empty() && (!options.save.empty() || !is_same(options.topology, copy.string())))
        result.push_back({"the copy for --topology", copy.string()});
    return result;
}

}  // namespace

void check_output_names(Options const& options) {
    std::vector<NamedFile> const read{{"--system", options.system},
                                      {"--state", options.state},
                                      {"--integrator", options.integrator},
                                      {"--topology", options.topology},
                                      {"the TOML file", options.command == "prepare" ? options.input : ""},
                                      {"the file to read", options.command == "convert" ? options.input : ""},
                                      {"--trajectory", options.analyze.trajectory},
                                      {"--topology", options.analyze.topology},
                                      {"--reference", options.command == "analyze" ? options.analyze.reference : ""}};
    if (options.command == "run") check_utf8(read, options.output);
    auto written = options.command == "run" ? files_of_a_run(options)
                                                  : std::vector<NamedFile>{{"--out-state", options.out_state},
                                                                           {"--out-system", options.out_system},
                                                                           {"--json", options.json},
                                                                           {"--forces", options.forces},
                                                                           {"the file to write", options.output_file}};
    if (options.command == "analyze") {
        written.push_back({"--output", options.analyze.output});
        written.push_back({"--svg", options.analyze.svg});
    }
    for (auto const& path : options.out_topologies) written.push_back({"--out-topology", path});
    for (std::size_t n = 0; n < written.size(); ++n) {
        auto const refuse = [&](NamedFile const& other) {
            throw InputError(written[n].option + " and " + other.option + " name the same file, "
                             + in_quotes(written[n].path, 200) + ", expected two");
        };
        for (auto const& input : read) {
            bool const continues = written[n].option == "--out-state" && input.option == "--state";
            if (!continues && is_same(written[n].path, input.path)) refuse(input);
        }
        for (std::size_t m = 0; m < n; ++m)
            if (is_same(written[n].path, written[m].path)) refuse(written[m]);
    }
}

}  // namespace trotter::program
