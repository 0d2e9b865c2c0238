#pragma once

namespace camber {

/// Calls of malloc() and its relatives in this program so far, by operator new, Eigen or a library
/// alike; with a sanitizer, of operator new alone. A test that shows that nothing is allocated
/// names allocation_count.cc among its sources.
long allocation_count();

/// False with a sanitizer, where malloc() itself is not counted.
bool counts_malloc();

}  // namespace camber
