// Kernel arguments whose values may change.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/device/runtime/queue.hpp>
#include <trotter/device/runtime/version.hpp>

namespace trotter::device {

/// A number that recorded work captures by value; a change invalidates the recording.
template <Storable T> class ChangingNumber {
public:
    using Value = T;

    explicit ChangingNumber(Version version, T value = {}) : version_(std::move(version)), value_(value) {}
    ChangingNumber& operator=(T value) {
        if (value != value_) version_.advance();
        value_ = value;
        return *this;
    }
    operator T() const { return value_; }
    Argument argument() const { return {&value_, sizeof value_}; }

private:
    Version version_;
    T value_;
};

/// The same for a type, float or double, chosen at run time.
class ChangingReal {
public:
    using Value = AnyReal;

    ChangingReal(Version version, bool is_double, double value = 0)
        : in_double_(std::move(version), value), in_float_(static_cast<float>(value)), is_double_(is_double) {}
    ChangingReal& operator=(double value) {
        in_double_ = value;
        in_float_ = static_cast<float>(value);
        return *this;
    }
    Argument argument() const { return is_double_ ? in_double_.argument() : Argument{&in_float_, sizeof in_float_}; }

private:
    ChangingNumber<double> in_double_;
    float in_float_;
    bool is_double_;
};

}  // namespace trotter::device
