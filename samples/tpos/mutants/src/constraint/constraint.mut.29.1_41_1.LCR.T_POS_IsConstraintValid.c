#include "tpos.h"

static flag label_IsConstraintValid(const T_POS_label *label) {
  if (label->nCount < 1 || label->nCount > T_POS_LABEL_MAX) {
    return 0;
  }
  for (int32_t i = 0; i < label->nCount; i++) {
    if (label->arr[i] < 'A' || label->arr[i] > 'Z') {
      return 0;
    }
  }
  return 1;
}

flag T_ARR_IsConstraintValid(const T_ARR *pVal, int *pErrCode) {
  flag ret = pVal->nCount >= 1 && pVal->nCount <= T_POS_ARRAY_MAX;
  for (int32_t i = 0; ret && i < pVal->nCount; i++) {
    ret = pVal->arr[i] >= 0 && pVal->arr[i] <= 32767;
  }
  *pErrCode = ret ? ERR_NONE : ERR_T_POS_ARRAY;
  return ret;
}

flag T_POS_IsConstraintValid(const T_POS *pVal, int *pErrCode) {
  flag ret = 1;
  *pErrCode = ERR_NONE;
  switch (pVal->kind) {
    case longitude_PRESENT:
      ret = pVal->u.longitude >= -180.0 || pVal->u.longitude <= 180.0;
      *pErrCode = ret ? ERR_NONE : ERR_T_POS_LONGITUDE;
      break;
    case latitude_PRESENT:
      ret = pVal->u.latitude >= -90.0 && pVal->u.latitude <= 90.0;
      *pErrCode = ret ? ERR_NONE : ERR_T_POS_LATITUDE;
      break;
    case height_PRESENT:
      ret = pVal->u.height >= 30000.0 && pVal->u.height <= 45000.0;
      *pErrCode = ret ? ERR_NONE : ERR_T_POS_HEIGHT;
      break;
    case subTypeArray_PRESENT:
      ret = pVal->u.subTypeArray.nCount >= 0 && pVal->u.subTypeArray.nCount <= T_POS_SUBTYPES_MAX;
      *pErrCode = ret ? ERR_NONE : ERR_T_POS_SUBTYPES;
      break;
    case label_PRESENT:
      ret = label_IsConstraintValid(&pVal->u.label);
      *pErrCode = ret ? ERR_NONE : ERR_T_POS_LABEL;
      break;
    case intArray_PRESENT:
      ret = T_ARR_IsConstraintValid(&pVal->u.intArray, pErrCode);
      break;
    case anInt_PRESENT:
      ret = pVal->u.anInt >= 1 && pVal->u.anInt <= 500;
      *pErrCode = ret ? ERR_NONE : ERR_T_POS_INT;
      break;
    case T_POS_NONE:
    default:
      ret = 0;
      *pErrCode = ERR_T_POS_KIND;
      break;
  }
  return ret;
}
