// What depends on the queue alone: compiled in Trotter::opencl, and not again by its users.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/device/core.hpp>
#include <trotter/opencl/queue.hpp>

namespace trotter::device {

extern template class Engine<opencl::Queue>;
extern template class State<opencl::Queue>;
extern template class ForceSums<opencl::Queue>;
extern template class Accumulators<opencl::Queue>;
extern template class Terms<opencl::Queue>;
extern template class CentroidPoints<opencl::Queue>;
extern template class VirtualSites<opencl::Queue>;
extern template class HostComputedForces<opencl::Queue>;
extern template class KineticEnergy<opencl::Queue>;
extern template class Pairs<opencl::Queue>;
extern template class PairList<opencl::Queue>;
extern template class PairLoop<opencl::Queue>;
extern template class SpatialSort<opencl::Queue>;
extern template class ListPool<opencl::Queue>;
extern template class Gaps<opencl::Queue>;
extern template class ReciprocalSum<opencl::Queue>;
extern template class ParticleMesh<opencl::Queue>;
extern template class MeshTransform<opencl::Queue, MeshLists>;
extern template class EwaldSum<opencl::Queue>;
extern template class Constraints<opencl::Queue>;
extern template class ConstraintNetworks<opencl::Queue>;
extern template class ClusterArrays<opencl::Queue>;
extern template class BoxMoves<opencl::Queue>;
extern template class Stepper<opencl::Queue>;
extern template class StepSizes<opencl::Queue>;
extern template class ShiftedKineticEnergy<opencl::Queue>;
extern template class RecordedStep<opencl::Queue>;

}  // namespace trotter::device
