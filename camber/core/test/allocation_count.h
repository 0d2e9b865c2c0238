#pragma once

namespace camber {

/// Calls of operator new in this program so far. A test that shows that nothing is allocated names
/// allocation_count.cc among its sources.
long allocation_count();

}  // namespace camber
