// Page-locked staging memory for copies between host and device.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>

#include "driver.hpp"

namespace trotter::cuda {

/// Two halves: the host fills one while the device reads the other.
class Staging {
public:
    explicit Staging(std::string const& device) : device_(device) {
        for (auto& half : halves_) {
            void* memory = nullptr;
            check(driver().mem_host_alloc(&memory, half_size, 0), device_, "allocating page-locked memory");
            half.memory = static_cast<std::byte*>(memory);
            check(driver().event_create(&half.is_read, CU_EVENT_DISABLE_TIMING), device_, "making an event");
        }
    }
    Staging(Staging const&) = delete;
    ~Staging() {
        for (auto const& half : halves_) {
            driver().event_destroy(half.is_read);
            driver().mem_free_host(half.memory);
        }
    }

    /// Returns when `from` has been read; earlier work may still be running on the device.
    void upload(CUstream stream, CUdeviceptr to, void const* from, std::size_t bytes) {
        auto const* source = static_cast<std::byte const*>(from);
        while (bytes > 0) {
            if (used_ == half_size) turn(stream);
            auto const size = std::min(bytes, half_size - used_);
            std::memcpy(halves_[current_].memory + used_, source, size);
            check(driver().memcpy_htod_async(to, halves_[current_].memory + used_, size, stream), device_, "writing to the device");
            // Copies from multiples of 16 bytes are faster.
            used_ = std::min(half_size, (used_ + size + 15) / 16 * 16);
            source += size;
            to += size;
            bytes -= size;
        }
    }
    /// Waits for the device.
    void download(CUstream stream, void* to, CUdeviceptr from, std::size_t bytes) {
        auto* target = static_cast<std::byte*>(to);
        while (bytes > 0) {
            turn(stream);
            auto const size = std::min(bytes, half_size);
            check(driver().memcpy_dtoh_async(halves_[current_].memory, from, size, stream), device_, "reading from the device");
            check(driver().stream_synchronize(stream), device_, "waiting for the device");
            std::memcpy(target, halves_[current_].memory, size);
            target += size;
            from += size;
            bytes -= size;
        }
    }

private:
    static constexpr std::size_t half_size = std::size_t{4} << 20;
    struct Half {
        std::byte* memory = nullptr;
        CUevent is_read = nullptr;
    };

    // An event that was never recorded counts as complete.
    void turn(CUstream stream) {
        check(driver().event_record(halves_[current_].is_read, stream), device_, "recording an event");
        current_ = 1 - current_;
        used_ = 0;
        check(driver().event_synchronize(halves_[current_].is_read), device_, "waiting for the device");
    }

    std::string device_;
    std::array<Half, 2> halves_;
    std::size_t current_ = 0, used_ = 0;
};

}  // namespace trotter::cuda
