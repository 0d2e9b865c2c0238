#pragma once

#include <string>
#include <vector>

#include "camber/server/answer.h"

namespace camber::app {

/// The files of the page that are built into the program; empty if it was built without npm.
std::vector<server::PageFile> list_page_files();
/// The same from a folder, for those who write the page: index.html.gz, app.js.gz, style.css.gz.
/// Throws FileError.
std::vector<server::PageFile> read_page_files(const std::string& folder);
/// What stands in for the page where it is not built in: it says how to get it.
const std::vector<server::PageFile>& missing_page();

}  // namespace camber::app
