// Includes Catch2, version 2 or 3, under common names.
// SPDX-License-Identifier: MIT
#pragma once
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
