// Whether work that was recorded is still what would be given now.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <utility>

namespace trotter::device {

/// Of a queue: advances when a buffer, a kernel or a number that recorded work may have taken is gone or has become
/// another. Copies are one and the same.
class Version {
public:
    std::uint64_t number() const { return *number_; }
    void advance() const { ++*number_; }

private:
    friend class Lifetime;
    std::shared_ptr<std::uint64_t> number_ = std::make_shared<std::uint64_t>(0);
};

/// A part of every buffer and kernel, with whose end the version advances: recorded work cannot hold what is gone, and
/// does not notice what is new.
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

    std::shared_ptr<std::uint64_t> number_;  // which may outlive the queue
};

}  // namespace trotter::device
