// Trotter as a platform of OpenMM.
// SPDX-License-Identifier: MIT
#pragma once
#include <openmm/Platform.h>

namespace trotter::openmm {

class TrotterPlatform : public OpenMM::Platform {
public:
    TrotterPlatform();
    std::string const& getName() const override;
    double getSpeed() const override;
    bool supportsDoublePrecision() const override { return true; }
    std::string const& getPropertyValue(OpenMM::Context const& context, std::string const& property) const override;
    std::vector<std::map<std::string, std::string>> getDevices(
        std::map<std::string, std::string> const& filters) const override;
    void contextCreated(OpenMM::ContextImpl& context,
                        std::map<std::string, std::string> const& properties) const override;
    void linkedContextCreated(OpenMM::ContextImpl& context, OpenMM::ContextImpl& original) const override;
    void contextDestroyed(OpenMM::ContextImpl& context) const override;
};

}  // namespace trotter::openmm
