// Typed byte buffer for checkpoints: kernels write values, and read them in the same order.
// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trotter/error.hpp>

namespace trotter {

static_assert(std::endian::native == std::endian::little, "archives are little-endian, as every platform of Trotter is");

template <class T>
concept Archivable = std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> && !std::is_pointer_v<T> &&
                     !std::is_array_v<T> && !std::convertible_to<T, std::string_view> && !requires(T t) { t.data(); };

/// Consecutive values, each tagged with its type and size, so that reading a value of another type throws. A kernel's
/// `save` puts, its `load` gets:
///
///     void save(Archive& out) const { out.put(scale_); out.put(velocities_); }
///     void load(Archive& in) { scale_ = in.get<double>(); velocities_ = in.get_vector<Vec3<double>>(); }
///
/// An InputError of `get` names the archive.
class Archive {
public:
    Archive() = default;
    /// `name` identifies the archive in messages, such as `file checkpoint, section barostat`.
    explicit Archive(std::string bytes, std::string name = "archive") : bytes_(std::move(bytes)), name_(std::move(name)) {}

    /// Appends one value.
    template <Archivable T> void put(T const& value) {
        tag<T>(Shape::Scalar);
        raw(&value, sizeof value);
    }
    /// Appends an array and its length.
    template <Archivable T> void put(std::span<T const> values) {
        tag<T>(Shape::Array);
        std::uint64_t const count = values.size();
        raw(&count, sizeof count);
        raw(values.data(), values.size_bytes());
    }
    /// Appends an array and its length.
    template <Archivable T> void put(std::span<T> values)
        requires(!std::is_const_v<T>)
    {
        put(std::span<T const>{values});
    }
    /// Appends an array and its length.
    template <Archivable T, class A> void put(std::vector<T, A> const& values) { put(std::span<T const>{values}); }
    /// Appends a text and its length.
    void put(std::string_view text) {
        tag<char>(Shape::Text);
        std::uint64_t const count = text.size();
        raw(&count, sizeof count);
        raw(text.data(), text.size());
    }

    /// Reads the next value, which must be a single `T`.
    template <Archivable T> T get() {
        expect<T>(Shape::Scalar);
        T value;
        std::memcpy(&value, take(sizeof value), sizeof value);
        return value;
    }
    /// Reads the next value, which must be an array of `T`.
    template <Archivable T> std::vector<T> get_vector() {
        expect<T>(Shape::Array);
        std::vector<T> values(count(sizeof(T)));
        auto const size = values.size() * sizeof(T);
        if (size > 0) std::memcpy(values.data(), take(size), size);
        return values;
    }
    /// Reads the next value, which must be a text.
    std::string get_string() {
        expect<char>(Shape::Text);
        auto const size = count(1);
        return {take(size), size};
    }

    /// True when everything has been read.
    bool at_end() const { return position_ == bytes_.size(); }
    /// Throws InputError if unread bytes are left.
    void expect_end() const {
        if (!at_end()) fail("holds " + std::to_string(bytes_.size() - position_) + " bytes more than were expected");
    }

    /// All bytes written so far, as stored in a file.
    std::string const& bytes() const { return bytes_; }
    /// Name in messages.
    std::string const& name() const { return name_; }

private:
    enum class Shape : std::uint8_t { Scalar = 1, Array, Text };
    enum class Kind : std::uint8_t { Bool = 1, Signed, Unsigned, Real, Record };

    template <class T> static constexpr Kind kind() {
        if constexpr (std::same_as<T, bool>) return Kind::Bool;
        else if constexpr (std::floating_point<T>) return Kind::Real;
        else if constexpr (std::unsigned_integral<T>) return Kind::Unsigned;
        else if constexpr (std::integral<T>) return Kind::Signed;
        else return Kind::Record;
    }
    template <class T> void tag(Shape shape) {
        static_assert(sizeof(T) < 256 * 256);
        std::uint8_t const bytes[4] = {static_cast<std::uint8_t>(shape), static_cast<std::uint8_t>(kind<T>()),
                                       static_cast<std::uint8_t>(sizeof(T) % 256), static_cast<std::uint8_t>(sizeof(T) / 256)};
        raw(bytes, sizeof bytes);
    }
    template <class T> void expect(Shape shape) {
        auto const start = position_;
        Archive wanted;
        wanted.tag<T>(shape);
        if (std::memcmp(take(4), wanted.bytes_.data(), 4) != 0)
            fail("holds another kind of value than expected at byte " + std::to_string(start));
    }

    void raw(void const* data, std::size_t size) {
        if (size > 0) bytes_.append(static_cast<char const*>(data), size);
    }
    char const* take(std::size_t size) {
        if (size > bytes_.size() - position_) fail("ends at byte " + std::to_string(bytes_.size()) + ", where more was expected");
        return bytes_.data() + std::exchange(position_, position_ + size);
    }
    /// Reads a count, and checks it against the remaining bytes before memory is reserved for it.
    std::size_t count(std::size_t element) {
        std::uint64_t stored = 0;
        std::memcpy(&stored, take(sizeof stored), sizeof stored);
        if (stored > (bytes_.size() - position_) / element) fail("states " + std::to_string(stored) + " values but ends before them");
        return static_cast<std::size_t>(stored);
    }
    [[noreturn]] void fail(std::string const& what) const { throw InputError(name_ + ": " + what); }

    std::string bytes_;
    std::string name_ = "archive";
    std::size_t position_ = 0;
};

}  // namespace trotter
