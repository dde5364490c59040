// Strict XML parser: checks every value and rejects unknown attributes and elements.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/io/number_text.hpp>

namespace trotter {

namespace detail {
struct XmlSource;
}
class XmlChildren;

/// An element of an `XmlDocument`, which must outlive it and all returned texts. Cheap to copy. Members throw
/// InputError with file, line, path (`/System/Particles/Particle[3]`, counted from 0), attribute, value and
/// expectation.
class XmlNode {
public:
    std::string_view name() const;  ///< of the element

    /// Child elements, all or those of one name, in the order of the file.
    XmlChildren children() const;
    XmlChildren children(std::string_view name) const;  ///< child elements of this name
    /// Children of a list, all named `item`. Rejects other content.
    XmlChildren items(std::string_view item) const;

    /// The one child with this name. Throws if there is none or more than one; `find` may find none.
    XmlNode child(std::string_view name) const;
    std::optional<XmlNode> find(std::string_view name) const;  ///< empty if there is none; throws for more than one

    /// Returns a number; infinities and NaN only if `allow` permits them.
    double number(std::string_view attribute, Allow allow = Allow::Finite) const;
    /// `fallback` if the attribute is missing.
    double number_or(std::string_view attribute, double fallback, Allow allow = Allow::Finite) const;

    /// An integer from `low` to `high`.
    template <std::integral T = int>
    T integer(std::string_view attribute, T low = std::numeric_limits<T>::min(), T high = std::numeric_limits<T>::max()) const {
        return static_cast<T>(integer_between(attribute, clamp(low), clamp(high)));
    }
    /// `fallback` if the attribute is missing.
    template <std::integral T>
    T integer_or(std::string_view attribute, T fallback, T low = std::numeric_limits<T>::min(),
                 T high = std::numeric_limits<T>::max()) const {
        return has(attribute) ? integer<T>(attribute, low, high) : fallback;
    }

    /// A value of an enumeration up to `last`.
    template <class Enum> Enum choice(std::string_view attribute, Enum last) const {
        return static_cast<Enum>(integer<int>(attribute, 0, static_cast<int>(last)));
    }

    /// 0 or 1.
    bool boolean(std::string_view attribute) const;
    bool boolean_or(std::string_view attribute, bool fallback) const;  ///< `fallback` if the attribute is missing

    /// The attribute's text, which may be empty.
    std::string_view text(std::string_view attribute) const;
    /// `fallback` if the attribute is missing.
    std::string_view text_or(std::string_view attribute, std::string_view fallback) const;

    bool has(std::string_view attribute) const;  ///< whether the element has the attribute

    /// Names of all attributes, for elements with user-defined attribute names.
    std::vector<std::string_view> attributes() const;

    /// Text between the element's tags, without the children's.
    std::string content() const;

    /// The attribute `version`. Throws if it is newer than `newest` or older than `oldest`.
    int version(int newest, int oldest = 1) const;

    /// Rejects attributes, child elements and text that are not listed. Readers call it first.
    void only(std::span<std::string_view const> attributes, std::span<std::string_view const> children = {}) const;
    /// The same for names in braces.
    void only(std::initializer_list<std::string_view> attributes, std::initializer_list<std::string_view> children = {}) const {
        only(std::span{attributes.begin(), attributes.size()}, std::span{children.begin(), children.size()});
    }

    /// Throws the InputError `FILE, line N, PATH: what`.
    [[noreturn]] void fail(std::string_view what) const;

    /// Throws the InputError `FILE, line N, PATH: ATTRIBUTE is "VALUE", expected WHAT`.
    [[noreturn]] void refuse(std::string_view attribute, std::string_view expected) const;

    std::string path() const;  ///< for messages, such as `/System/Particles/Particle[3]`
    std::size_t line() const;  ///< in the file, from 1

private:
    friend class XmlChildren;
    friend class XmlDocument;
    XmlNode(void* node, detail::XmlSource const* source) : node_(node), source_(source) {}

    std::int64_t integer_between(std::string_view attribute, std::int64_t low, std::int64_t high) const;

    template <std::integral T> static constexpr std::int64_t clamp(T value) {
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        if constexpr (std::unsigned_integral<T> && sizeof(T) == sizeof(std::int64_t))
            return value > static_cast<T>(most) ? most : static_cast<std::int64_t>(value);
        else
            return value;
    }

    void* node_;  ///< opaque node of the parser library
    detail::XmlSource const* source_;
};

/// A forward range of elements.
class XmlChildren {
public:
    /// A forward iterator.
    class Iterator {
    public:
        using value_type = XmlNode;  ///< an element
        using difference_type = std::ptrdiff_t;  ///< of a forward iterator
        /// The element.
        XmlNode operator*() const { return {node_, source_}; }
        Iterator& operator++();  ///< the next element of the range
        /// Returns the previous position.
        Iterator operator++(int) {
            auto const old = *this;
            ++*this;
            return old;
        }
        /// Whether both are at the same element.
        bool operator==(Iterator const& other) const { return node_ == other.node_; }

    private:
        friend class XmlChildren;
        void* node_ = nullptr;
        detail::XmlSource const* source_ = nullptr;
        std::optional<std::string_view> name_;
    };

    Iterator begin() const;  ///< the first element
    /// After the last element.
    Iterator end() const { return {}; }
    /// Counts the elements.
    std::size_t size() const { return static_cast<std::size_t>(std::distance(begin(), end())); }
    /// Whether there are no such elements.
    bool empty() const { return begin() == end(); }

private:
    friend class XmlNode;
    void* parent_ = nullptr;
    detail::XmlSource const* source_ = nullptr;
    std::optional<std::string_view> name_;
};

/// Limits on accepted files.
struct XmlLimits {
    int depth = 128;        ///< nested elements
    int attributes = 1000;  ///< of one element
};

/// A parsed file.
class XmlDocument {
public:
    XmlDocument(XmlDocument&&) noexcept;  ///< leaves an object that can only be destroyed
    XmlDocument& operator=(XmlDocument&&) noexcept;  ///< frees the document of this object first
    ~XmlDocument();

    XmlNode root() const;  ///< of any name

    /// The root element; rejected if it has another name and no attribute `type`, by which OpenMM identifies it.
    XmlNode root(std::string_view name) const;

private:
    friend XmlDocument parse_xml(std::string, std::string, XmlLimits);
    explicit XmlDocument(std::unique_ptr<detail::XmlSource> source);
    std::unique_ptr<detail::XmlSource> source_;
};

/// Parses UTF-8 text; `file_name` is its name in messages. Memory: about five times the text. Throws InputError unless
/// it is one well-formed element within the limits.
XmlDocument parse_xml(std::string text, std::string file_name, XmlLimits limits = {});

}  // namespace trotter
