#pragma once

#include <optional>
#include <string>

#include "camber/core/diagnostics.h"
#include "camber/study/study.h"

namespace camber::study {

/// Reads a file of kind "study" (docs/manual/studies.md). The scenario's name is relative to the
/// file's folder; the scenario must exist and is not read. Throws ModelFileError with all mistakes.
Study load_study(const std::string& path);
/// The same for text in memory; `file` is the name that messages show.
Study parse_study(std::string text, const std::string& file);

/// The file, or the text if there is one; if it throws, `study` has what could be read: scenario and
/// inputs.
void read_study(const std::string& path, const std::optional<std::string>& text, Study* study);

}  // namespace camber::study
