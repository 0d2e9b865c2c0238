#pragma once

// What the templates of this module ask of their scalar.

#include <cmath>

#include "camber/math/polygon.h"
#include "camber/math/scalar.h"
