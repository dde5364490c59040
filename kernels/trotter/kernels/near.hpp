// Neighbor lists of sites, built by cell search.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Requires `sets`. Sites and others are numbered; `near_sites` and `near_others` are their particles. Exclusions are
/// between sites and others. If NEAR_FOLLOW is defined, a site's neighbors have greater numbers than it. Without a
/// cutoff there are no lists: all others are neighbors but the excluded ones.
inline constexpr char const* near = R"(
#define NEAR_PARAMETERS GLOBAL const int* RESTRICT near_sites, GLOBAL const int* RESTRICT near_others,   \
        GLOBAL const int* RESTRICT near_begins, GLOBAL const int* RESTRICT near_excluded,                \
        GLOBAL const int* RESTRICT near_counts, GLOBAL const int* RESTRICT near_list,                    \
        int near_site_count, int near_other_count, int near_capacity
#define NEAR_ARGUMENTS {positions, box, near_sites, near_others, near_begins, near_excluded, near_counts, near_list, \
                        near_site_count, near_other_count, near_capacity}

// The k-th other near site i is list[k*site_count + i] where counts[i] is not greater than the capacity.
typedef struct {
    GLOBAL const coordinate4* positions;
    GLOBAL const coordinate4* box;
    GLOBAL const int* sites;
    GLOBAL const int* others;
    GLOBAL const int* begins;
    GLOBAL const int* excluded;
    GLOBAL const int* counts;
    GLOBAL const int* list;
    int site_count, other_count, capacity;
} Near;

inline DEVICE int is_near(Near near, int i, int j) {
#ifdef NEAR_FOLLOW
    if (j <= i) return 0;
#endif
    return are_near(trimTo3(near.positions[near.sites[i]]) - trimTo3(near.positions[near.others[j]]), near.box)
           && !are_excluded(near.begins, near.excluded, i, j);
}

// How many others are worth to be asked for, and the k-th of them, or -1 where that one is not near.
#ifdef SETS_CUTOFF
inline DEVICE int near_count(Near near, int i) { return near.counts[i]; }
inline DEVICE int near_other(Near near, int i, int k) {
    if (near.counts[i] <= near.capacity) return near.list[k*near.site_count + i];
    // The list had no room: the k-th is found among all.
    int j = -1;
    for (int found = -1; found < k; found += is_near(near, i, j)) ++j;
    return j;
}
#else
inline DEVICE int near_count(Near near, int i) { return near.other_count; }
inline DEVICE int near_other(Near near, int i, int k) { return is_near(near, i, k) ? k : -1; }
#endif
)";

/// Requires `near` and a cutoff: `link_others`, `find_near` and `order_near`, in this order, build the lists.
inline constexpr char const* near_search = R"(
// How many cells there are along each edge, and no more than `room` in all. A cell is wider than the cutoff, so that
// others near a site are in its cell or in one beside it. Without a periodic box, cells that many apart are the same.
inline DEVICE int4 cells_along(GLOBAL const coordinate4* RESTRICT box, int room) {
    int4 cells = make_int4(1024, 1024, 1024, 0);
#ifdef SETS_PERIODIC
    // Distances between faces: 1 over the lengths of the reciprocal vectors, where a = (a.x, 0, 0), b = (b.x, b.y, 0).
    const coordinate4 a = box[0], b = box[1], c = box[2];
    const coordinate edge = (coordinate) (1.01*SETS_CUTOFF), bx = b.x/b.y, cy = c.y/c.z, cx = (bx*c.y - c.x)/c.z;
    cells = make_int4(min((int) (a.x/(edge*sqrt(1 + bx*bx + cx*cx))), cells.x),
                      min((int) (b.y/(edge*sqrt(1 + cy*cy))), cells.y), min((int) (c.z/edge), cells.z), 0);
    cells = make_int4(max(cells.x, 1), max(cells.y, 1), max(cells.z, 1), 0);
#endif
    while (cells.x*cells.y*cells.z > room)
        if (cells.x >= cells.y && cells.x >= cells.z)
            cells.x = (cells.x + 1)/2;
        else if (cells.y >= cells.z)
            cells.y = (cells.y + 1)/2;
        else
            cells.z = (cells.z + 1)/2;
    return cells;
}

// Which of so many cells the fraction of an edge is in.
inline DEVICE int cell_along(coordinate fraction, int cells) {
    return max(min((int) ((fraction - floor(fraction))*cells), cells - 1), 0);
}
inline DEVICE int4 cell_of(coordinate4 x, GLOBAL const coordinate4* RESTRICT box, int4 cells) {
#ifdef SETS_PERIODIC
    const coordinate4 a = box[0], b = box[1], c = box[2];
    const coordinate z = x.z/c.z, y = (x.y - z*c.y)/b.y;
    return make_int4(cell_along((x.x - y*b.x - z*c.x)/a.x, cells.x), cell_along(y, cells.y), cell_along(z, cells.z), 0);
#else
    const coordinate edge = (coordinate) (1.01*SETS_CUTOFF);
    return make_int4(cell_along(x.x/(edge*cells.x), cells.x), cell_along(x.y/(edge*cells.y), cells.y),
                     cell_along(x.z/(edge*cells.z), cells.z), 0);
#endif
}
inline DEVICE int cell_index(int4 cell, int4 cells) { return (cell.z*cells.y + cell.y)*cells.x + cell.x; }

// heads[cell] is one more than some other in the cell, and links[j] one more than the next after j; 0 ends the chain.
// In which order they are depends on timing.
KERNEL void link_others(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box,
                        GLOBAL const int* RESTRICT others, GLOBAL int* RESTRICT heads, GLOBAL int* RESTRICT links,
                        GLOBAL int* RESTRICT counts, int site_count, int other_count, int room) {
    const int4 cells = cells_along(box, room);
    for (int j = GLOBAL_ID; j < other_count; j += GLOBAL_SIZE)
        links[j] = ATOMIC_EXCHANGE(&heads[cell_index(cell_of(positions[others[j]], box, cells), cells)], j + 1);
    for (int i = GLOBAL_ID; i < site_count; i += GLOBAL_SIZE) counts[i] = 0;
}

// The cell beside, and whether that is another than those of smaller steps.
inline DEVICE int cell_beside(int cell, int step, int cells) { return (cell + step + cells) % cells; }
inline DEVICE int is_another(int step, int cells) { return step == 0 || (step == 1 ? cells > 1 : cells > 2); }

// Each work-item looks into one of the 27 cells around a site.
KERNEL void find_near(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box,
                      NEAR_PARAMETERS, GLOBAL const int* RESTRICT heads, GLOBAL const int* RESTRICT links,
                      GLOBAL int* RESTRICT counts, GLOBAL int* RESTRICT found, int room) {
    const Near near = NEAR_ARGUMENTS;
    const int4 cells = cells_along(box, room);
    for (int item = GLOBAL_ID; item < 27*near_site_count; item += GLOBAL_SIZE) {
        const int i = item % near_site_count, beside = item/near_site_count;
        const int x = beside % 3 - 1, y = beside/3 % 3 - 1, z = beside/9 - 1;
        if (!is_another(x, cells.x) || !is_another(y, cells.y) || !is_another(z, cells.z)) continue;
        const int4 own = cell_of(positions[near_sites[i]], box, cells);
        const int4 cell = make_int4(cell_beside(own.x, x, cells.x), cell_beside(own.y, y, cells.y),
                                    cell_beside(own.z, z, cells.z), 0);
        for (int next = heads[cell_index(cell, cells)]; next > 0; next = links[next - 1])
            if (is_near(near, i, next - 1)) {
                const int k = ATOMIC_ADD(&counts[i], 1);
                if (k < near_capacity) found[k*near_site_count + i] = next - 1;
            }
    }
}

// Ascending, which is the same each time.
KERNEL void order_near(GLOBAL const int* RESTRICT found, GLOBAL const int* RESTRICT counts, GLOBAL int* RESTRICT list,
                       int site_count, int capacity) {
    for (int item = GLOBAL_ID; item < site_count*capacity; item += GLOBAL_SIZE) {
        const int i = item % site_count, count = counts[i];
        if (item/site_count >= count || count > capacity) continue;
        const int j = found[item];
        int before = 0;
        for (int k = 0; k < count; ++k) before += found[k*site_count + i] < j;
        list[before*site_count + i] = j;
    }
}
)";

}  // namespace trotter::kernels
