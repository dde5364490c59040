// Signatures of kernels: parameter lists in kernel source, read at compile time to check the arguments of launches.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trotter/base/fixed_string.hpp>
#include <trotter/device/runtime/queue.hpp>
#include <trotter/device/runtime/vectors.hpp>

namespace trotter::device {

/// A kernel's parameter: a number or a vector, or an array of these in global memory.
struct Parameter {
    std::string_view type{};  ///< "int", "real4", "mm_ulong", …
    bool is_array = false;
};

namespace signature {

constexpr bool is_of_word(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
/// Removes the first word from `text` and returns it; empty if there is none.
constexpr std::string_view take_word(std::string_view& text) {
    std::size_t begin = 0, end = 0;
    while (begin < text.size() && !is_of_word(text[begin])) ++begin;
    for (end = begin; end < text.size() && is_of_word(text[end]);) ++end;
    auto const word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return word;
}
constexpr std::string_view until(std::string_view text, char end) { return text.substr(0, text.find(end)); }
/// Removes what precedes the first occurrence of `words`, and these; returns whether there is one.
constexpr bool skip_past(std::string_view& text, std::string_view words) {
    auto const found = text.find(words);
    text.remove_prefix(found == text.npos ? text.size() : found + words.size());
    return found != text.npos;
}

/// Calls `visit(name, parameters)` for each kernel of a source.
constexpr void for_each_kernel(std::string_view source, auto&& visit) {
    while (skip_past(source, "KERNEL void ")) {
        std::string_view head = until(source, '('), name;
        for (auto word = take_word(head); !word.empty(); word = take_word(head)) name = word;  // bounds may come first
        skip_past(source, "(");
        visit(name, until(source, ')'));
    }
}

}  // namespace signature

/// The parameters of a kernel.
struct Parameters {
    static constexpr std::size_t most = 40;
    std::array<Parameter, most> list{};
    std::size_t count = 0;

    /// Adds the parameters of `text`: "GLOBAL const int* RESTRICT marks, int count". A single word is the name of a
    /// list that one of the `macros` defines.
    constexpr void add(std::string_view text, auto const&... macros) {
        while (!text.empty()) {
            auto const declaration = signature::until(text, ',');
            text.remove_prefix(declaration.size() < text.size() ? declaration.size() + 1 : text.size());
            std::string_view rest = declaration, type = signature::take_word(rest);
            while (type == "GLOBAL" || type == "const") type = signature::take_word(rest);
            if (!signature::take_word(rest).empty())
                list.at(count++) = {type, declaration.find('*') != declaration.npos};
            else if (!type.empty() && !(... || add_macro(type, macros)))
                throw "a kernel's parameter has no type";
        }
    }

private:
    constexpr bool add_macro(std::string_view name, std::string_view source) {
        if (!signature::skip_past(source, "#define ") || !signature::skip_past(source, name)) return false;
        std::size_t end = source.find('\n');
        while (end != source.npos && source[end - 1] == '\\') end = source.find('\n', end + 1);
        add(source.substr(0, end));
        return true;
    }
};

/// Signature of the kernel `name` of a source.
template <auto const& source, FixedString name, auto const&... macros> struct SignatureIn {
    static constexpr Parameters parameters = [] {
        Parameters result;
        signature::for_each_kernel(source, [&](std::string_view kernel, std::string_view declarations) {
            if (kernel == name.view()) result.add(declarations, macros...);
        });
        return result;
    }();
};

/// Signature of a kernel whose source is written at run time, as lists of parameters: `text` for the source. Lists that
/// begin with # define macros for the others.
template <auto const&... lists> struct ParameterList {
    static constexpr Parameters parameters = [] {
        Parameters result;
        ((lists[0] == '#' ? void() : result.add(lists, lists...)), ...);
        return result;
    }();
    static std::string text() {
        std::string result;
        ((lists[0] == '#' ? result : result += (result.empty() ? "" : ", ") + std::string(lists)), ...);
        return result;
    }
};

/// Whether kernel source calls elements of type T so. Arrays of 64-bit integers are signed or not as their kernels
/// like; words that end in `_integer` are defined before the source.
template <class T> constexpr bool is_called(std::string_view word) {
    if constexpr (std::same_as<T, AnyReal>)
        return word.starts_with("real") || word.starts_with("mixed") || word.starts_with("coordinate");
    else if constexpr (std::same_as<T, std::int32_t>)
        return word == "int";
    else if constexpr (std::same_as<T, std::uint32_t>)
        return word == "uint" || word.ends_with("_integer");
    else if constexpr (std::same_as<T, mm_long> || std::same_as<T, mm_ulong>)
        return word == "mm_long" || word == "mm_ulong" || word.ends_with("_integer");
    else if constexpr (std::same_as<T, float>)
        return word == "float";
    else if constexpr (std::same_as<T, mm_int2>)
        return word == "int2";
    else if constexpr (std::same_as<T, mm_int4>)
        return word == "int4";
    else
        return std::same_as<T, mm_float4> && word == "float4";
}

/// Whether an argument of type A may be passed for a parameter: arrays have a member `Element`, numbers that change a
/// member `Value`.
template <class A> constexpr bool fits(Parameter const& parameter) {
    if constexpr (requires { typename A::Element; })
        return parameter.is_array && is_called<typename A::Element>(parameter.type);
    else if constexpr (requires { typename A::Value; })
        return !parameter.is_array && is_called<typename A::Value>(parameter.type);
    else
        return !parameter.is_array && is_called<A>(parameter.type);
}

}  // namespace trotter::device
