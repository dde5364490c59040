// Profiler of a Context: wall time of named parts.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trotter {

/// Times of named, possibly nested parts; a part's time excludes that of nested parts. While the profiler is off, a
/// part costs one check of a flag.
class Profile {
public:
    struct Part {
        std::string_view name;
        std::size_t parent;       ///< index of the enclosing part; the first one is the root, its own parent
        std::int64_t calls = 0;
        double seconds = 0;          ///< without nested parts
        double parallel_seconds = 0; ///< of these, in parallel tasks; the rest is serial
        double waiting_seconds = 0;  ///< of the parallel ones, with the first thread idle
    };

    /// Ends its part when it is destroyed.
    class Scope {
    public:
        Scope(Scope const&) = delete;
        Scope& operator=(Scope const&) = delete;
        ~Scope() {
            if (profile_) profile_->leave(outer_);
        }

    private:
        friend Profile;
        Scope(Profile* profile, std::string_view name)
            : profile_(profile), outer_(profile ? profile->enter(name) : 0) {}
        Profile* profile_;
        std::size_t outer_;
    };

    /// Clears the measurements and starts.
    void start();
    void stop();
    bool is_on() const { return is_on_; }

    /// Measures from here to the destruction of the returned object. `name` has to outlive the Profile.
    [[nodiscard]] Scope part(std::string_view name) { return {is_on_ ? this : nullptr, name}; }
    /// Adds to the current part: clock times at which threads started tasks, the first thread found none left, and all
    /// were done.
    void add_parallel(std::int64_t begin, std::int64_t none_left, std::int64_t end);
    /// Monotonic clock [ns].
    static std::int64_t now();

    /// Nested parts follow their enclosing part. Empty if nothing was measured.
    std::vector<Part> const& parts() const { return parts_; }
    /// Names of the enclosing parts, except the root, and of the part, separated by /.
    std::string path(std::size_t part) const;

private:
    std::size_t enter(std::string_view name);
    void leave(std::size_t outer);
    void pass_time();

    bool is_on_ = false;
    std::vector<Part> parts_;
    std::size_t current_ = 0;
    std::int64_t last_ = 0;  // when the current part began or resumed
};

}  // namespace trotter
