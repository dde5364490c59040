// Recorded work, launched once or in portions.
// SPDX-License-Identifier: MIT
#pragma once
#include <cuda.h>

#include <cstdint>
#include <string>

#include <trotter/cuda/queue.hpp>

#include "driver.hpp"

namespace trotter::cuda {

/// A recorded graph, ready to be launched once or `together` times.
struct Graph::Work {
    static constexpr int together = 8;
    static constexpr std::int64_t many = 64;  // launches of a graph before portions pay

    CUcontext context = nullptr;
    CUgraph recorded = nullptr;
    CUgraphExec once = nullptr, portion = nullptr;
    std::int64_t given = 0;

    explicit Work(CUcontext of) : context(of) {}
    Work(Work const&) = delete;
    Work& operator=(Work const&) = delete;
    ~Work() {
        driver().ctx_set_current(context);
        for (CUgraphExec const graph : {once, portion})
            if (graph != nullptr) driver().graph_exec_destroy(graph);
        if (recorded != nullptr) driver().graph_destroy(recorded);
    }

    void make_portion(std::string const& device) {
        CUgraph chain = nullptr;
        check(driver().graph_create(&chain, 0), device, "making a graph");
        CUgraphNode last = nullptr;
        auto code = CUDA_SUCCESS;
        for (int n = 0; n < together && code == CUDA_SUCCESS; ++n) {
            CUgraphNode const before = last;
            code = driver().graph_add_child_graph_node(&last, chain, &before, n > 0, recorded);
        }
        if (code == CUDA_SUCCESS) code = driver().graph_instantiate(&portion, chain, 0);
        driver().graph_destroy(chain);
        check(code, device, "making a graph");
    }
};

}  // namespace trotter::cuda
