// SPDX-License-Identifier: MIT
#include "definitions.hpp"

#include <algorithm>

#include "app/force_field/at.hpp"

namespace trotter::app::force_field {

void DefinitionIndex::add(int definition, TypeSelector selector) {
    auto& list = selector.kind == TypeSelector::Kind::any    ? any_
                 : selector.kind == TypeSelector::Kind::type ? by_type_[selector.number]
                                                             : by_class_[selector.number];
    list.push_back(definition);
}

std::vector<int> DefinitionIndex::for_type(AtomTypes const& types, int type) const {
    std::vector<int> result = any_;
    auto const append = [&](auto const& lists, int number) {
        if (auto const found = lists.find(number); found != lists.end())
            result.insert(result.end(), found->second.begin(), found->second.end());
    };
    append(by_type_, type);
    append(by_class_, types.class_of(type));
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

namespace {

// A hash table with open addressing, as Objects/setobject.c of CPython describes it: the hash of a small integer is its
// value, a probe looks at a slot and the nine after it before it jumps.
class Slots {
public:
    explicit Slots(std::size_t size) : slots_(size, -1) {}

    void insert(int value) {
        std::size_t const mask = slots_.size() - 1;
        auto perturbation = static_cast<std::size_t>(value);
        for (auto i = perturbation & mask;; i = (5 * i + 1 + (perturbation >>= 5)) & mask) {
            auto const last = i + neighbors <= mask ? i + neighbors : i;
            for (auto k = i; k <= last; ++k)
                if (slots_[k] < 0) {
                    slots_[k] = value;
                    ++used_;
                    return;
                }
        }
    }
    bool is_crowded() const { return 5 * used_ >= 3 * (slots_.size() - 1); }
    Slots enlarged() const {
        std::size_t size = 8;
        while (size <= (used_ > 50'000 ? 2 : 4) * used_) size *= 2;
        Slots result(size);
        for (int const value : values()) result.insert(value);
        return result;
    }
    std::vector<int> values() const {
        std::vector<int> result;
        std::copy_if(slots_.begin(), slots_.end(), std::back_inserter(result), [](int value) { return value >= 0; });
        return result;
    }

private:
    static constexpr std::size_t neighbors = 9;
    std::vector<int> slots_;  // -1: free
    std::size_t used_ = 0;
};

}  // namespace

std::vector<int> python_set_order(std::vector<int> const& added) {
    Slots slots(8);
    for (int const value : added) {
        slots.insert(value);
        if (slots.is_crowded()) slots = slots.enlarged();
    }
    return slots.values();
}

}  // namespace trotter::app::force_field
