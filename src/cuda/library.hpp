// A shared library loaded on first use: programs run on machines without it.
// SPDX-License-Identifier: MIT
#pragma once
#include <dlfcn.h>

#include <initializer_list>
#include <string>

#include <trotter/error.hpp>

namespace trotter::cuda {

/// Stays loaded until the process ends.
class Library {
public:
    /// Loads the first library found. Throws UnsupportedError with `sentence` if there is none.
    Library(std::initializer_list<char const*> names, std::string const& sentence) {
        for (char const* const name : names)
            if (handle_ == nullptr) handle_ = dlopen(name, RTLD_NOW);
        if (handle_ == nullptr) throw UnsupportedError(sentence);
    }

    /// A function, convertible to any function pointer.
    class Found {
    public:
        template <class Function> operator Function*() const { return reinterpret_cast<Function*>(address_); }

    private:
        friend class Library;
        explicit Found(void* address) : address_(address) {}
        void* address_;
    };
    /// Throws UnsupportedError if the library has no such function.
    Found find(char const* name) const {
        if (auto* const address = dlsym(handle_, name)) return Found(address);
        throw UnsupportedError("NVIDIA's library is too old for this program: it has no " + std::string(name));
    }

private:
    void* handle_ = nullptr;
};

}  // namespace trotter::cuda
