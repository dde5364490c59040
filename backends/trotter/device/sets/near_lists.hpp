// Neighbor lists of sites for many-body forces on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/changing_number.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/kernels/near.hpp>
#include <trotter/kernels/sets.hpp>

namespace trotter::device {

/// Partners of each site, ascending, with begin offsets.
template <DeviceQueue Q> class PartnerLists {
public:
    void upload(Q& queue, std::vector<std::vector<std::int32_t>> lists) {
        std::vector<std::int32_t> begins{0}, partners;
        for (auto& list : lists) {
            std::sort(list.begin(), list.end());
            partners.insert(partners.end(), list.begin(), list.end());
            begins.push_back(static_cast<std::int32_t>(partners.size()));
        }
        partners.resize(std::max<std::size_t>(partners.size(), 1));
        begins_ = Array<Q, std::int32_t>(queue, begins);
        partners_ = Array<Q, std::int32_t>(queue, partners);
    }
    Array<Q, std::int32_t> const& begins() const { return begins_; }
    Array<Q, std::int32_t> const& partners() const { return partners_; }

private:
    Array<Q, std::int32_t> begins_, partners_;
};

/// Source before that of a kernel with NEAR_PARAMETERS.
inline std::string near_text(bool has_cutoff, bool others_follow) {
    return std::string(others_follow ? "#define NEAR_FOLLOW\n" : "") + kernels::sets + kernels::near
           + (has_cutoff ? kernels::near_search : "");
}

/// Neighbor lists of others within the cutoff of each site, rebuilt in each evaluation. The first evaluation sets their
/// capacity; neighbors beyond it are searched for when needed, which is slow, and the capacity grows when energies are
/// requested, since the host waits then anyway. Sites and others are numbered in the order of their upload.
template <DeviceQueue Q> class NearLists {
public:
    explicit NearLists(Version const& version) : site_count_(version), other_count_(version), capacity_(version) {}

    /// `excluded` has each site's excluded others.
    void upload(Engine<Q>& engine, std::vector<std::int32_t> sites, std::vector<std::int32_t> others,
                std::vector<std::vector<std::int32_t>> excluded, bool has_cutoff) {
        auto& queue = engine.queue;
        site_count_ = static_cast<std::int32_t>(sites.size());
        other_count_ = static_cast<std::int32_t>(others.size());
        has_cutoff_ = has_cutoff;
        sites.resize(std::max<std::size_t>(sites.size(), 1));
        others.resize(std::max<std::size_t>(others.size(), 1));
        counts_ = Array<Q, std::int32_t>(queue, sites.size());
        counts_.clear(queue);
        links_ = Array<Q, std::int32_t>(queue, others.size());
        heads_ = Array<Q, std::int32_t>(queue, std::max<std::size_t>(2 * others.size(), 64));
        sites_ = Array<Q, std::int32_t>(queue, sites);
        others_ = Array<Q, std::int32_t>(queue, others);
        exclusions_.upload(queue, std::move(excluded));
        take_capacity(1, engine);
        is_measured_ = false;
    }
    /// Call when the source is compiled.
    void take(typename Q::Program& program) {
        if (!has_cutoff_) return;
        kernels_.take(program);
    }

    void find(Engine<Q>& engine) {
        if (!has_cutoff_) return;
        search(engine);
        if (!is_measured_ && make_room(engine)) search(engine);
        is_measured_ = true;
    }
    /// Waits for the device. Returns whether lists were too short.
    bool make_room(Engine<Q>& engine) {
        if (!has_cutoff_) return false;
        auto const counts = counts_.download(engine.queue);
        auto const most = static_cast<std::size_t>(*std::max_element(counts.begin(), counts.end()));
        if (most <= static_cast<std::size_t>(capacity_)) return false;
        take_capacity(most + most / 4 + 1, engine);
        return true;
    }

    std::size_t sites() const { return static_cast<std::size_t>(site_count_); }
    /// Number of work-items that share the others of a site, of which each takes `each` at once. One takes all of a
    /// list if the order of sums must not depend on the capacity.
    std::size_t shares(bool are_sums_ordered, std::size_t each = 1) const {
        if (has_cutoff_ && are_sums_ordered) return 1;
        auto const all = static_cast<std::size_t>(has_cutoff_ ? capacity_ : other_count_);
        // Item indices are 32-bit integers.
        std::size_t const most = (std::size_t{1} << 30) / std::max<std::size_t>(sites(), 1);
        return std::clamp<std::size_t>((all + each - 1) / each, 1, std::max<std::size_t>(most, 1));
    }
    /// Calls `launch` with positions and box, NEAR_PARAMETERS, and `arguments`.
    void launch_with(Engine<Q> const& engine, auto const& launch, auto const&... arguments) const {
        launch(engine.positions, engine.box, sites_, others_, exclusions_.begins(), exclusions_.partners(), counts_,
               list_, site_count_, other_count_, capacity_, arguments...);
    }

private:
    void search(Engine<Q>& engine) {
        auto& queue = engine.queue;
        auto const& properties = queue.properties();
        auto const room = static_cast<std::int32_t>(heads_.size());
        heads_.clear(queue);
        launch<"link_others">(queue, kernels_, grid_for(properties, std::max(counts_.size(), links_.size())),
                              engine.positions, engine.box, others_, heads_, links_, counts_, site_count_, other_count_,
                              room);
        auto const find = [&](auto const&... arguments) {
            launch<"find_near">(queue, kernels_, grid_for(properties, 27 * sites()), arguments...);
        };
        launch_with(engine, find, heads_, links_, counts_, found_, room);
        launch<"order_near">(queue, kernels_, grid_for(properties, sites() * static_cast<std::size_t>(capacity_)),
                             found_, counts_, list_, site_count_, capacity_);
    }
    // At most the number of others, and a gigabyte in total.
    void take_capacity(std::size_t wanted, Engine<Q>& engine) {
        std::size_t const count = std::max<std::size_t>(sites(), 1),
                          most = std::min(static_cast<std::size_t>(other_count_), (std::size_t{1} << 28) / count),
                          capacity = std::max<std::size_t>(std::min(wanted, most), 1);
        if (capacity == static_cast<std::size_t>(capacity_) && list_.size() == capacity * count) return;
        capacity_ = static_cast<std::int32_t>(capacity);
        found_ = Array<Q, std::int32_t>(engine.queue, capacity * count);
        list_ = Array<Q, std::int32_t>(engine.queue, capacity * count);
    }

    ChangingNumber<std::int32_t> site_count_, other_count_, capacity_;
    bool has_cutoff_ = false, is_measured_ = false;
    Array<Q, std::int32_t> sites_, others_, counts_, links_, heads_, found_, list_;
    PartnerLists<Q> exclusions_;
    SourceKernels<Q, kernels::near_search, kernels::near> kernels_;
};

}  // namespace trotter::device
