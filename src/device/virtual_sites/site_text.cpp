// Generates kernel source for virtual sites from the host's formulas.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>
#include <variant>

#include <trotter/common/virtual_sites/placement.hpp>
#include <trotter/device/text/traced.hpp>
#include <trotter/device/virtual_sites/site_text.hpp>

namespace trotter::device {
namespace {

template <template <class> class S> class SiteText {
public:
    explicit SiteText(S<double> const& example) : parents_(parent_count(example)) {
        if constexpr (requires { site_.origin_weights; })
            for (auto* weights : {&site_.origin_weights, &site_.x_weights, &site_.y_weights}) weights->resize(parents_);
        if constexpr (requires { site_.use_box_vectors; }) site_.use_box_vectors = example.use_box_vectors;
        int number = 0;
        for_each_number(site_, [&](Traced& n) { n = named("FIELD(" + std::to_string(number++) + ')'); });
    }

    std::string place() {
        load_parents();
        auto const x = site_position(site_, positions(), box());
        statements_.add("positions[site] = make_coordinate4(" + text(x) + ", 0);");
        return statements_.text();
    }
    std::string distribute() {
        load_parents();
        statements_.add("const coordinate3 f = force_on((GLOBAL const mm_long*) forces, site);");
        auto const add = [this](std::size_t k, Vec3<Traced> const& force) {
            statements_.add("add_fine_force(forces, parent" + std::to_string(k) + ", make_coordinate3(" + text(force)
                            + "));");
        };
        spread_force(site_, vector("f"), positions(), add, box());
        return statements_.text();
    }

private:
    struct BoxVectors {
        Vec3<Traced> a, b, c;
    };

    Traced named(std::string const& name) { return {statements_, name}; }
    Vec3<Traced> vector(std::string const& name) {
        return {named(name + ".x"), named(name + ".y"), named(name + ".z")};
    }
    BoxVectors box() { return {vector("box[0]"), vector("box[1]"), vector("box[2]")}; }
    auto positions() {
        return [this](std::size_t k) { return vector('x' + std::to_string(k)); };
    }
    void load_parents() {
        for (std::size_t k = 0; k < parents_; ++k) {
            std::string const n = std::to_string(k);
            statements_.add("const int parent" + n + " = particles[" + std::to_string(k + 1) + "*count + index];\n"
                            + "const coordinate4 x" + n + " = positions[parent" + n + "];");
        }
    }
    std::string text(Vec3<Traced> const& v) const {
        return v.x.name(statements_) + ", " + v.y.name(statements_) + ", " + v.z.name(statements_);
    }

    std::size_t parents_;
    Statements statements_{"temp", "", "coordinate"};
    S<Traced> site_;
};
template <template <class> class S> SiteText(S<double> const&) -> SiteText<S>;

}  // namespace

std::string place_text(VirtualSite const& example) {
    return std::visit([](auto const& site) { return SiteText(site).place(); }, example);
}
std::string distribute_text(VirtualSite const& example) {
    return std::visit([](auto const& site) { return SiteText(site).distribute(); }, example);
}

}  // namespace trotter::device
