#pragma once

#include <string>
#include <string_view>

#include "camber/core/toml_reader.h"

namespace camber {

/// The folder that a file's references count from: that of the file itself. Empty for a file in the
/// working folder.
std::string folder_of(const std::string& file);

/// Reads the name of a file at a node, relative to `folder`, and returns its path. Notes a mistake
/// at the node if there is no such file, with the name that was likely meant, or where a TOML
/// file is not of this kind; an empty `kind` is not checked. Empty where the node has no name.
std::string read_file_reference(const TomlNode& node, const std::string& folder,
                                std::string_view kind);

/// Throws FileError unless `path` is a regular file, or a link to one. A file that is named in
/// another file is checked by this before it is opened: a pipe would be waited for, a device read
/// without end.
void require_regular_file(const std::string& path);

}  // namespace camber
