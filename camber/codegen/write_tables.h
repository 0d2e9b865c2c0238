#pragma once

#include <string>

#include "camber/codegen/program.h"
#include "camber/symbolic/code_syntax.h"

namespace camber::codegen::internal {

/// Whether the call is to a table, whose code can be included; the user must link other functions.
bool is_table(const CallSite& site);

/// The function that table functions use to find a cell, needed once before them.
std::string write_cell_search(const std::string& search, symbolic::Language language);

/// A function of the given name with the table's coefficients. In Fortran the data are separate
/// from the function, in the head of the module.
std::string write_table(const CallSite& site, const std::string& name, const std::string& search,
                        symbolic::Language language);
std::string write_fortran_table_data(const CallSite& site, const std::string& name);

/// The declaration of a function given as code.
std::string declare_code(const CallSite& site, const std::string& name,
                         symbolic::Language language);

}  // namespace camber::codegen::internal
