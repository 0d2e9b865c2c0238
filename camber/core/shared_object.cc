#include "camber/core/shared_object.h"

#include <stdexcept>

#include <dlfcn.h>

#include "camber/core/require.h"

namespace camber {

SharedObject::SharedObject(const std::filesystem::path& path)
    : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) throw std::runtime_error(dlerror());
}

void SharedObject::Close::operator()(void* handle) const { dlclose(handle); }

void* SharedObject::find_symbol(const char* name) const { return dlsym(handle_.get(), name); }

void* SharedObject::symbol(const char* name) const {
  void* address = find_symbol(name);
  if (address == nullptr) throw std::runtime_error(concat(name, " is not in its library"));
  return address;
}

}  // namespace camber
