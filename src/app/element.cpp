// SPDX-License-Identifier: MIT
#include <trotter/app/element.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace trotter::app {
namespace {

struct Row {
    std::string_view symbol, name;
    int atomic_number;
    double mass;
};
// Average masses [amu] and names as in OpenMM 8.6's openmm.app.element.
constexpr Row rows[] = {
    {"H", "hydrogen", 1, 1.007947},     {"D", "deuterium", 1, 2.0135532127},
    {"He", "helium", 2, 4.003},         {"Li", "lithium", 3, 6.9412},
    {"Be", "beryllium", 4, 9.0121823},  {"B", "boron", 5, 10.8117},
    {"C", "carbon", 6, 12.01078},       {"N", "nitrogen", 7, 14.00672},
    {"O", "oxygen", 8, 15.99943},       {"F", "fluorine", 9, 18.99840325},
    {"Ne", "neon", 10, 20.17976},       {"Na", "sodium", 11, 22.989769282},
    {"Mg", "magnesium", 12, 24.30506},  {"Al", "aluminum", 13, 26.98153868},
    {"Si", "silicon", 14, 28.08553},    {"P", "phosphorus", 15, 30.9737622},
    {"S", "sulfur", 16, 32.0655},       {"Cl", "chlorine", 17, 35.4532},
    {"Ar", "argon", 18, 39.9481},       {"K", "potassium", 19, 39.09831},
    {"Ca", "calcium", 20, 40.0784},     {"Sc", "scandium", 21, 44.9559126},
    {"Ti", "titanium", 22, 47.8671},    {"V", "vanadium", 23, 50.94151},
    {"Cr", "chromium", 24, 51.99616},   {"Mn", "manganese", 25, 54.9380455},
    {"Fe", "iron", 26, 55.8452},        {"Co", "cobalt", 27, 58.9331955},
    {"Ni", "nickel", 28, 58.69342},     {"Cu", "copper", 29, 63.5463},
    {"Zn", "zinc", 30, 65.4094},        {"Ga", "gallium", 31, 69.7231},
    {"Ge", "germanium", 32, 72.641},    {"As", "arsenic", 33, 74.921602},
    {"Se", "selenium", 34, 78.963},     {"Br", "bromine", 35, 79.9041},
    {"Kr", "krypton", 36, 83.7982},     {"Rb", "rubidium", 37, 85.46783},
    {"Sr", "strontium", 38, 87.621},    {"Y", "yttrium", 39, 88.905852},
    {"Zr", "zirconium", 40, 91.2242},   {"Nb", "niobium", 41, 92.906382},
    {"Mo", "molybdenum", 42, 95.942},   {"Tc", "technetium", 43, 98},
    {"Ru", "ruthenium", 44, 101.072},   {"Rh", "rhodium", 45, 102.905502},
    {"Pd", "palladium", 46, 106.421},   {"Ag", "silver", 47, 107.86822},
    {"Cd", "cadmium", 48, 112.4118},    {"In", "indium", 49, 114.8183},
    {"Sn", "tin", 50, 118.7107},        {"Sb", "antimony", 51, 121.7601},
    {"Te", "tellurium", 52, 127.603},   {"I", "iodine", 53, 126.904473},
    {"Xe", "xenon", 54, 131.2936},      {"Cs", "cesium", 55, 132.90545192},
    {"Ba", "barium", 56, 137.3277},     {"La", "lanthanum", 57, 138.905477},
    {"Ce", "cerium", 58, 140.1161},     {"Pr", "praseodymium", 59, 140.907652},
    {"Nd", "neodymium", 60, 144.2423},  {"Pm", "promethium", 61, 145},
    {"Sm", "samarium", 62, 150.362},    {"Eu", "europium", 63, 151.9641},
    {"Gd", "gadolinium", 64, 157.253},  {"Tb", "terbium", 65, 158.925352},
    {"Dy", "dysprosium", 66, 162.5001}, {"Ho", "holmium", 67, 164.930322},
    {"Er", "erbium", 68, 167.2593},     {"Tm", "thulium", 69, 168.934212},
    {"Yb", "ytterbium", 70, 173.043},   {"Lu", "lutetium", 71, 174.9671},
    {"Hf", "hafnium", 72, 178.492},     {"Ta", "tantalum", 73, 180.947882},
    {"W", "tungsten", 74, 183.841},     {"Re", "rhenium", 75, 186.2071},
    {"Os", "osmium", 76, 190.233},      {"Ir", "iridium", 77, 192.2173},
    {"Pt", "platinum", 78, 195.0849},   {"Au", "gold", 79, 196.9665694},
    {"Hg", "mercury", 80, 200.592},     {"Tl", "thallium", 81, 204.38332},
    {"Pb", "lead", 82, 207.21},         {"Bi", "bismuth", 83, 208.980401},
    {"Po", "polonium", 84, 209},        {"At", "astatine", 85, 210},
    {"Rn", "radon", 86, 222.018},       {"Fr", "francium", 87, 223},
    {"Ra", "radium", 88, 226},          {"Ac", "actinium", 89, 227},
    {"Th", "thorium", 90, 232.038062},  {"Pa", "protactinium", 91, 231.035882},
    {"U", "uranium", 92, 238.028913},   {"Np", "neptunium", 93, 237},
    {"Pu", "plutonium", 94, 244},       {"Am", "americium", 95, 243},
    {"Cm", "curium", 96, 247},          {"Bk", "berkelium", 97, 247},
    {"Cf", "californium", 98, 251},     {"Es", "einsteinium", 99, 252},
    {"Fm", "fermium", 100, 257},        {"Md", "mendelevium", 101, 258},
    {"No", "nobelium", 102, 259},       {"Lr", "lawrencium", 103, 262},
    {"Rf", "rutherfordium", 104, 261},  {"Db", "dubnium", 105, 262},
    {"Sg", "seaborgium", 106, 266},     {"Bh", "bohrium", 107, 264},
    {"Hs", "hassium", 108, 269},        {"Mt", "meitnerium", 109, 268},
    {"Ds", "darmstadtium", 110, 281},   {"Rg", "roentgenium", 111, 272},
    {"Uub", "ununbium", 112, 285},      {"Uut", "ununtrium", 113, 284},
    {"Uuq", "ununquadium", 114, 289},   {"Uup", "ununpentium", 115, 288},
    {"Uuh", "ununhexium", 116, 292},
};

bool equal_in_any_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::optional<Element> Element::from_symbol(std::string_view symbol) {
    for (unsigned char row = 0; auto const& known : rows) {
        if (equal_in_any_case(known.symbol, symbol)) return Element(row);
        ++row;
    }
    return {};
}

std::optional<Element> Element::from_atomic_number(int atomic_number) {
    for (unsigned char row = 0; auto const& known : rows) {
        if (known.atomic_number == atomic_number) return Element(row);
        ++row;
    }
    return {};
}

std::optional<Element> Element::from_mass(double mass) {
    if (!(mass > 0)) return {};
    auto const nearest = std::min_element(std::begin(rows), std::end(rows), [&](Row const& a, Row const& b) {
        return std::abs(a.mass - mass) < std::abs(b.mass - mass);
    });
    return Element(static_cast<unsigned char>(nearest - std::begin(rows)));
}

std::string_view Element::symbol() const { return rows[row_].symbol; }
std::string_view Element::name() const { return rows[row_].name; }
int Element::atomic_number() const { return rows[row_].atomic_number; }
double Element::mass() const { return rows[row_].mass; }

}  // namespace trotter::app
