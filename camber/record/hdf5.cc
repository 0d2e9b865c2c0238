#include "camber/record/hdf5.h"

#include <algorithm>

#include <hdf5.h>

namespace camber::record::internal {
namespace {

static_assert(sizeof(hid_t) == sizeof(Id) && sizeof(herr_t) == sizeof(int));

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

Handle string_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

bool write_value(Id owner, const std::string& name, Id file_type, Id memory_type, Id space,
                 const void* value) {
  const Handle attribute(
      H5Acreate2(owner, name.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.valid() && H5Awrite(attribute.id(), memory_type, value) >= 0;
}

bool write_strings(Id owner, const std::string& name, Id space,
                   const std::vector<std::string>& values) {
  std::vector<const char*> texts;
  texts.reserve(values.size());
  for (const std::string& value : values) texts.push_back(value.c_str());
  const Handle type = string_type();
  return write_value(owner, name, type.id(), type.id(), space, texts.data());
}

herr_t keep_innermost(unsigned /*n*/, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

// Text of a fixed length may be cut without a terminator, or filled with spaces.
std::vector<std::string> read_fixed_strings(Id attribute, Id type, std::size_t count) {
  const std::size_t size = H5Tget_size(type);
  std::vector<char> bytes(size * count);
  if (H5Aread(attribute, type, bytes.data()) < 0) return {};
  std::vector<std::string> values;
  for (std::size_t i = 0; i < count; ++i) {
    const char* first = bytes.data() + i * size;
    values.emplace_back(first, std::find(first, first + size, '\0'));
  }
  return values;
}

std::vector<std::string> read_strings(Id attribute, Id space, std::size_t count) {
  const Handle type = string_type();
  std::vector<char*> texts(count, nullptr);
  if (H5Aread(attribute, type.id(), texts.data()) < 0) return {};
  std::vector<std::string> values;
  values.reserve(count);
  for (const char* text : texts) values.emplace_back(text == nullptr ? "" : text);
  H5Dvlen_reclaim(type.id(), space, H5P_DEFAULT, texts.data());
  return values;
}

struct OpenAttribute {
  Handle attribute, type, space;
  std::size_t count = 0;
};

bool open_attribute(Id owner, const std::string& name, OpenAttribute* open) {
  constexpr hssize_t kMaxCount = 1'000'000;
  if (H5Aexists(owner, name.c_str()) <= 0) return false;
  open->attribute = Handle(H5Aopen(owner, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!open->attribute.valid()) return false;
  open->type = Handle(H5Aget_type(open->attribute.id()), H5Tclose);
  open->space = Handle(H5Aget_space(open->attribute.id()), H5Sclose);
  if (!open->type.valid() || !open->space.valid()) return false;
  const hssize_t count = H5Sget_simple_extent_npoints(open->space.id());
  open->count = static_cast<std::size_t>(std::max<hssize_t>(count, 0));
  return count > 0 && count <= kMaxCount;
}

}  // namespace

Session::Session() : lock_(library_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() { H5Eset_auto2(H5E_DEFAULT, printer_, printer_data_); }

std::string last_error() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_innermost, &text);
  return text.empty() ? "HDF5 does not say why" : text;
}

bool write_attribute(Id owner, const std::string& name, const std::string& value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  return write_strings(owner, name, space.id(), {value});
}

bool write_attribute(Id owner, const std::string& name, double value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  return write_value(owner, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space.id(), &value);
}

bool write_attribute(Id owner, const std::string& name, const std::vector<std::string>& values) {
  const hsize_t count = values.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  return write_strings(owner, name, space.id(), values);
}

bool write_attribute(Id owner, const std::string& name, const std::vector<std::uint64_t>& values) {
  const hsize_t count = values.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  return write_value(owner, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, space.id(), values.data());
}

bool read_attribute(Id owner, const std::string& name, std::vector<std::string>* values) {
  OpenAttribute open;
  if (!open_attribute(owner, name, &open) || H5Tget_class(open.type.id()) != H5T_STRING) {
    return false;
  }
  *values = H5Tis_variable_str(open.type.id()) > 0
                ? read_strings(open.attribute.id(), open.space.id(), open.count)
                : read_fixed_strings(open.attribute.id(), open.type.id(), open.count);
  return values->size() == open.count;
}

bool read_attribute(Id owner, const std::string& name, double* value) {
  OpenAttribute open;
  if (!open_attribute(owner, name, &open) || open.count != 1) return false;
  const H5T_class_t kind = H5Tget_class(open.type.id());
  return (kind == H5T_FLOAT || kind == H5T_INTEGER) &&
         H5Aread(open.attribute.id(), H5T_NATIVE_DOUBLE, value) >= 0;
}

bool read_attribute(Id owner, const std::string& name, std::vector<std::uint64_t>* values) {
  OpenAttribute open;
  if (!open_attribute(owner, name, &open) || H5Tget_class(open.type.id()) != H5T_INTEGER) {
    return false;
  }
  values->resize(open.count);
  return H5Aread(open.attribute.id(), H5T_NATIVE_UINT64, values->data()) >= 0;
}

}  // namespace camber::record::internal
