#pragma once

// The operations that the templates of this module require of their scalar.

#include <cmath>

#include "camber/math/polygon.h"
#include "camber/math/scalar.h"
