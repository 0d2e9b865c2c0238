#pragma once

#include <optional>
#include <string>
#include <vector>

#include "camber/study/drive_samples.h"
#include "camber/study/study.h"

namespace camber::study {

/// Contents of a study's files, checked before the first drive.
struct CheckedStudy {
  Study study;
  StudyFacts facts;
  std::vector<std::string> files;        // all that were read, the study's own first
  std::optional<std::string> text = {};  // of a study that is in memory; its file need not exist
};

/// Reads a study and checks all that can be checked before the first drive: its file, its scenario,
/// each input by itself at its middle, its ends and all its choices, all inputs at their ends
/// together, names of figures and curves. Builds the scenario a few times. Throws ModelFileError
/// with all mistakes at once, at places of the study's file. `text`, if given, replaces the
/// contents of the file.
CheckedStudy check_study(const std::string& path, const std::optional<std::string>& text = {});

/// The data of a study that was checked before: builds the scenario once.
StudyFacts read_facts(const Study& study);

}  // namespace camber::study
