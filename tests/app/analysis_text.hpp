// Trajectories and folders of tests, which vanish at the end.
// SPDX-License-Identifier: MIT
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <trotter/io/trajectory.hpp>

/// A folder of this process.
class TestFolder {
public:
    explicit TestFolder(std::string const& name)
        : path_(std::filesystem::temp_directory_path() / ("trotter-" + std::to_string(::getpid()) + "-" + name)) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    TestFolder(TestFolder const&) = delete;
    TestFolder& operator=(TestFolder const&) = delete;
    ~TestFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    std::filesystem::path const& path() const { return path_; }
    std::string write(std::string const& name, std::string const& text) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << text;
        return (path_ / name).string();
    }

private:
    std::filesystem::path path_;
};

/// A trajectory with frames 0.01 ps apart.
class TestTrajectory {
public:
    TestTrajectory(std::string const& name, std::size_t particles)
        : folder_(name + "-folder"), path_((folder_.path() / name).string()), writer_(path_, {particles, 0.01, 1, 1, 0}) {}

    void write(std::vector<trotter::Vec3<>> const& positions, std::optional<trotter::Box> const& box, int number) const {
        writer_.write(positions, box, number, 0.01 * number);
    }
    std::string const& path() const { return path_; }

private:
    TestFolder folder_;
    std::string path_;
    mutable trotter::TrajectoryWriter writer_;
};
