#pragma once

#include "apps/camber/model_source.h"
#include "python/src/common.h"

namespace camber::python {

/// Throws ModelFileError.
app::ModelSource open_source(const ModelText& model);

}  // namespace camber::python
