// The names of backends and processors.
// SPDX-License-Identifier: MIT
#include <trotter/context/platform_description.hpp>

#include <fstream>

namespace trotter {

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (auto const start = line.find(": "); start != line.npos) return line.substr(start + 2);
    return "a processor without a name";
}

std::string platform_name(std::string_view backend) {
    std::string name(backend);
    for (char& letter : name) letter = static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
    return name;
}

std::string device_text(PlatformDescription const& description) {
    auto const& [platform, precision, instruction_set, accelerator, threads, device, opening_seconds] = description;
    if (!accelerator.empty()) return accelerator;
    return processor_name() + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads")
           + (instruction_set.empty() ? "" : ", " + instruction_set);
}

}  // namespace trotter
