#pragma once

#include <array>
#include <string>
#include <vector>

namespace camber::autonomy {

/// Points x, y [m] from a text file, one per line, separated by a comma or spaces; empty lines,
/// comments after a # and a first line of names are skipped. Throws ModelFileError with every line
/// that is wrong, FileError if there is no such file.
std::vector<std::array<double, 2>> load_path_points(const std::string& file);

}  // namespace camber::autonomy
