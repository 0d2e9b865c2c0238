#pragma once

#include <array>
#include <string>
#include <vector>

namespace camber::autonomy {

/// Points x, y [m] from a text file, one per line with a comma or spaces between; empty lines and
/// what follows a # are left out, and so is a first line of names. Throws ModelFileError with every
/// line that is wrong, FileError when there is no such file.
std::vector<std::array<double, 2>> load_path_points(const std::string& file);

}  // namespace camber::autonomy
