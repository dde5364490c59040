// What depends on the queue alone: compiled in Trotter::cuda, and not again by its users.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/device/core.hpp>
#include <trotter/cuda/queue.hpp>

namespace trotter::device {

extern template class Engine<cuda::Queue>;
extern template class State<cuda::Queue>;
extern template class ForceSums<cuda::Queue>;
extern template class Accumulators<cuda::Queue>;
extern template class Terms<cuda::Queue>;
extern template class CentroidPoints<cuda::Queue>;
extern template class VirtualSites<cuda::Queue>;
extern template class HostComputedForces<cuda::Queue>;
extern template class KineticEnergy<cuda::Queue>;
extern template class Pairs<cuda::Queue>;
extern template class PairList<cuda::Queue>;
extern template class PairLoop<cuda::Queue>;
extern template class SpatialSort<cuda::Queue>;
extern template class ListPool<cuda::Queue>;
extern template class Gaps<cuda::Queue>;
extern template class ReciprocalSum<cuda::Queue>;
extern template class ParticleMesh<cuda::Queue>;
extern template class MeshTransform<cuda::Queue, MeshLists>;
extern template class EwaldSum<cuda::Queue>;
extern template class Constraints<cuda::Queue>;
extern template class ConstraintNetworks<cuda::Queue>;
extern template class ClusterArrays<cuda::Queue>;
extern template class BoxMoves<cuda::Queue>;
extern template class Stepper<cuda::Queue>;
extern template class StepSizes<cuda::Queue>;
extern template class ShiftedKineticEnergy<cuda::Queue>;
extern template class RecordedStep<cuda::Queue>;

}  // namespace trotter::device
