// Where the time of a Context goes.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trotter {

/// Times of named parts, which may contain each other: a part's own time is without that of the parts in it. Until
/// `start` and after `stop` a part costs one look at a flag.
class Profile {
public:
    struct Part {
        std::string_view name;
        std::size_t parent;       ///< index of the part that contains it; the first contains all, and itself
        std::int64_t calls = 0;
        double seconds = 0;          ///< its own
        double parallel_seconds = 0; ///< of these, in tasks that threads share; the rest is done by one thread
        double waiting_seconds = 0;  ///< of the parallel ones, that the first thread had nothing left to do
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

    /// Forgets what was measured and begins.
    void start();
    void stop();
    bool is_on() const { return is_on_; }

    /// From here to the end of what it returns. `name` has to outlive the Profile.
    [[nodiscard]] Scope part(std::string_view name) { return {is_on_ ? this : nullptr, name}; }
    /// Adds to the present part: times of the clock at which threads began to share tasks, the first found none left,
    /// and all were done.
    void add_parallel(std::int64_t begin, std::int64_t none_left, std::int64_t end);
    /// Of the clock [ns].
    static std::int64_t now();

    /// Contained parts follow the one that contains them. Empty where nothing was measured.
    std::vector<Part> const& parts() const { return parts_; }
    /// The names of the part and those that contain it, but the first, with / between.
    std::string path(std::size_t part) const;

private:
    std::size_t enter(std::string_view name);
    void leave(std::size_t outer);
    void pass_time();

    bool is_on_ = false;
    std::vector<Part> parts_;
    std::size_t current_ = 0;
    std::int64_t last_ = 0;  // when the present part began or went on
};

}  // namespace trotter
