#include "camber/codegen/draft.h"

namespace camber::codegen::internal {

int latency(Op op) {
  switch (op) {
    case Op::kConstant:
    case Op::kInput:
    case Op::kTrue:
    case Op::kFalse:
    case Op::kCosOfPair:
      return 0;
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
      return 4;
    case Op::kNeg:
    case Op::kAbs:
    case Op::kMin:
    case Op::kMax:
    case Op::kSelect:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kNot:
    case Op::kAnd:
    case Op::kOr:
      return 2;
    case Op::kDiv:
    case Op::kSqrt:
      return 15;
    default:
      return 50;
  }
}

}  // namespace camber::codegen::internal
