#pragma once

#include <string>
#include <string_view>

namespace camber::record {

/// The folder of one run: log.h5, summary.json, report.html. Never one that is not empty.
class RunFolder {
 public:
  /// Makes parent/NAME-001, or the next number after the highest existing one; two processes never
  /// get the same one. Throws FileError if that is not possible, and std::invalid_argument for a
  /// name that is empty or has a '/'.
  static RunFolder make_numbered(const std::string& parent, const std::string& name);
  /// Makes `path`, or takes it if it is an empty folder. Throws std::invalid_argument if a file or
  /// a folder with contents exists there, FileError if it cannot be made.
  static RunFolder make_at(const std::string& path);

  const std::string& path() const { return path_; }
  std::string log_path() const { return path_ + "/log.h5"; }
  std::string summary_path() const { return path_ + "/summary.json"; }
  std::string report_path() const { return path_ + "/report.html"; }

  /// Whole or not at all.
  void write_summary(std::string_view json) const;
  void write_report(std::string_view html) const;

 private:
  explicit RunFolder(std::string path);

  std::string path_;
};

}  // namespace camber::record
