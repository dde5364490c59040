// Catch2 under one name, whether release 2 or 3 is installed.
// SPDX-License-Identifier: MIT
#pragma once
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
