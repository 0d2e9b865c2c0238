#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

// The parts of HDF5 that this module needs, without HDF5's headers.
namespace camber::record::internal {

using Id = std::int64_t;  // hid_t

/// An HDF5 object, closed at the end of its scope.
class Handle {
 public:
  using Closer = int (*)(Id);

  Handle() = default;
  Handle(Id id, Closer closer) : id_(id), closer_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      close();
      id_ = std::exchange(other.id_, -1);
      closer_ = other.closer_;
    }
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close(); }

  Id id() const { return id_; }
  bool valid() const { return id_ >= 0; }
  /// False if HDF5 could not write the remaining data.
  bool close() {
    const Id id = std::exchange(id_, -1);
    return id < 0 || closer_(id) >= 0;
  }

 private:
  Id id_ = -1;
  Closer closer_ = nullptr;
};

/// To be held around calls of HDF5: allows one thread at a time, whether or not the library is
/// thread-safe, and suppresses error texts on stderr.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  void* printer_data_ = nullptr;
  int (*printer_)(Id, void*) = nullptr;
};

/// The innermost message of the last failed call of HDF5: "bad object header version number".
std::string last_error();

/// Attributes of the object `owner`: UTF-8 strings of any length, 64-bit floats, lists of unsigned
/// integers. False if HDF5 fails.
bool write_attribute(Id owner, const std::string& name, const std::string& value);
bool write_attribute(Id owner, const std::string& name, double value);
bool write_attribute(Id owner, const std::string& name, const std::vector<std::string>& values);

bool write_attribute(Id owner, const std::string& name, const std::vector<std::uint64_t>& values);

/// The strings (one, or a list), the number or the integers of an attribute. False if there is none
/// of that kind.
bool read_attribute(Id owner, const std::string& name, std::vector<std::string>* values);
bool read_attribute(Id owner, const std::string& name, double* value);
bool read_attribute(Id owner, const std::string& name, std::vector<std::uint64_t>* values);

}  // namespace camber::record::internal
