#pragma once

#include <string>

#include "camber/study/study_folder.h"

namespace camber::app {

/// Drives one sample of a study again, this time with log and report, unless that was done before:
/// the same bits, but for studies in lanes, whose last digits differ from those of a drive in
/// doubles. Returns the folder of the run, DIR/runs/sample-K. Throws std::invalid_argument if the
/// study has no sample k.
std::string drive_sample(const study::StudyFolder& folder, long k);

}  // namespace camber::app
