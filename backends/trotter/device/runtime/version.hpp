// Detects whether recorded work is out of date.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <utility>

namespace trotter::device {

/// Version of a queue: advances when a buffer, kernel or number that recorded work may use is destroyed or changed.
/// Copies share their state.
class Version {
public:
    std::uint64_t number() const { return *number_; }
    void advance() const { ++*number_; }

private:
    friend class Lifetime;
    std::shared_ptr<std::uint64_t> number_ = std::make_shared<std::uint64_t>(0);
};

/// Member of every buffer and kernel whose destruction advances the version: recorded work cannot use destroyed
/// objects, and is not affected by new ones.
class Lifetime {
public:
    Lifetime() = default;
    explicit Lifetime(Version const& version) : number_(version.number_) {}
    Lifetime(Lifetime&&) noexcept = default;
    Lifetime& operator=(Lifetime&& other) noexcept {
        end();
        number_ = std::move(other.number_);
        return *this;
    }
    ~Lifetime() { end(); }

private:
    void end() {
        if (number_) ++*number_;
    }

    std::shared_ptr<std::uint64_t> number_;  // may outlive the queue
};

}  // namespace trotter::device
