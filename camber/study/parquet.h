#pragma once

#include <string>

#include "camber/study/samples_table.h"

namespace camber::study {

/// A table as Apache Parquet (format 1, plain pages, not compressed, all columns required; a number
/// that is missing is NaN). Any reader of the format can read it.
std::string to_parquet(const SamplesTable& table);

}  // namespace camber::study
