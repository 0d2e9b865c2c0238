#pragma once

namespace camber::record {

/// Calls of operator new in this program so far.
long allocation_count();

}  // namespace camber::record
