// Reads the files of a force field.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>

#include <trotter/app/data_files.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>

#include "data.hpp"
#include "read_templates.hpp"

namespace trotter::app::force_field {
namespace {

constexpr std::size_t most_files = 1000;

// The first element of a name, if there is one: further ones do not count, as in OpenMM.
std::optional<XmlNode> first_child(XmlNode const& node, std::string_view name) {
    auto const children = node.children(name);
    return children.empty() ? std::nullopt : std::optional(*children.begin());
}

template <class Made> Made& generator_for(std::vector<Generator>& generators) {
    if (Made::is_shared)
        for (auto& generator : generators)
            if (auto* found = std::get_if<Made>(&generator)) return *found;
    return std::get<Made>(generators.emplace_back(Made{}));
}

template <class... Made>
bool read_generator(XmlNode const& node, ForceField::Data& data, std::type_identity<std::variant<Made...>>) {
    return ((node.name() == Made::tag && (generator_for<Made>(data.generators).read(node, data.types), true)) || ...);
}

bool is_unsupported(std::string_view tag) {
    return tag == "DrudeForce" || tag.starts_with("Hippo") || (tag.starts_with("Amoeba") && tag.ends_with("Force"));
}

class Loading {
public:
    Loading(ForceField::Data& data, std::vector<ForceField::Text> texts) : data_(data) {
        for (auto& text : texts) parse(std::move(text));
        for (std::size_t i = 0; i < documents_.size(); ++i) include_from(i);
    }

    // Types of all files first, then residues, patches, forces, scripts.
    void run() {
        for_each_in("AtomTypes", "Type", [&](XmlNode const& node) { data_.types.add(node); });
        for_each_in("Residues", "Residue", [&](XmlNode const& node) { read_residue(node, data_); });
        for_each_in("Patches", "Patch", [&](XmlNode const& node) { read_patch(node, data_); });
        data_.patches.check();
        data_.patches.forget();
        for (auto const& [name, document] : documents_)
            for (auto const node : document.root().children()) read_force(node, name);
        for (auto const& [name, document] : documents_)
            for (auto const node : document.root().children("Script"))
                data_.scripts.push_back(recognize_script(node.content(), name));
        for (auto const& [name, document] : documents_)
            for (auto const node : document.root().children("InitializationScript"))
                initialize(recognize_initialization(node.content(), name), document.root(), name);
    }

private:
    void parse(ForceField::Text text) {
        auto document = parse_xml(std::move(text.xml), text.name);
        if (document.root().name() != "ForceField")
            document.root().fail("expected <ForceField>, the root of a force field");
        documents_.emplace_back(std::move(text.name), std::move(document));
        if (documents_.size() > most_files) throw InputError(documents_[0].first + ": includes more than 1000 files");
    }
    // Included files are looked for beside the file first, and read once.
    void include_from(std::size_t i) {
        std::vector<std::string> included;
        for (auto const node : documents_[i].second.root().children("Include"))
            included.emplace_back(node.text("file"));
        for (auto const& name : included) {
            auto const folder = std::filesystem::path(documents_[i].first).parent_path().string();
            auto const path = locate_data_file(name, {folder.empty() ? "." : folder}).value_or("");
            auto const found = path.empty() ? find_data_file(name, data_.folders) : path;
            bool const is_known = std::any_of(documents_.begin(), documents_.end(), [&](auto const& other) {
                std::error_code ignored;  // a text in memory is no file
                return std::filesystem::equivalent(other.first, found, ignored);
            });
            if (!is_known) parse({found, read_file(found, default_max_input, FileKind::xml)});
        }
    }

    template <class Read> void for_each_in(std::string_view list, std::string_view item, Read const& read) {
        for (auto const& [name, document] : documents_)
            if (auto const found = first_child(document.root(), list))
                for (auto const node : found->children(item)) read(node);
    }

    void read_force(XmlNode const& node, std::string const& file) {
        auto const tag = node.name();
        if (read_generator(node, data_, std::type_identity<Generator>{})) return;
        if (is_unsupported(tag)) node.fail(std::string(tag) + " is not supported in force fields");
        if (tag.ends_with("Force"))
            data_.warnings.push_back(file + ": the unknown element " + std::string(tag) + " is left out");
    }

    void initialize(InitializationScript const& script, XmlNode const& root, std::string const& file) {
        if (auto const* charmm = std::get_if<CharmmVersion>(&script)) {
            if (data_.charmm_version.empty()) data_.charmm_version = charmm->version;
            if (data_.charmm_version != charmm->version)
                throw InputError(file + ": belongs to " + charmm->version + ", which does not go with "
                                 + data_.charmm_version);
            return;
        }
        auto& names = data_.matched_by_name.emplace_back();
        if (auto const residues = first_child(root, "Residues"))
            for (auto const node : residues->children("Residue")) names.emplace(node.text("name"));
    }

    ForceField::Data& data_;
    std::vector<std::pair<std::string, XmlDocument>> documents_;  // with their names
};

}  // namespace

void load(ForceField::Data& data, std::vector<ForceField::Text> texts) { Loading(data, std::move(texts)).run(); }

}  // namespace trotter::app::force_field
