#include "tpos.h"

#include <string.h>

/* An exclusive-or over the first `length` bytes, at most a whole report. */
static uint8_t checksum(const uint8_t *data, size_t length) {
  uint8_t sum = 0;
  if (length > T_POS_ENCODED_MAX) {
    length = T_POS_ENCODED_MAX;
  }
  for (size_t i = 0; i < length; i++) {
    sum = (uint8_t)(sum ^ data[i]);
  }
  return sum;
}

static void put32(uint8_t *to, uint32_t value) {
  to[0] = (uint8_t)(value >> 24);
  to[1] = (uint8_t)(value >> 16);
  to[2] = (uint8_t)(value >> 8);
  to[3] = (uint8_t)value;
}

static uint32_t get32(const uint8_t *from) {
  return ((uint32_t)from[0] << 24) | ((uint32_t)from[1] << 16) | ((uint32_t)from[2] << 7) | (uint32_t)from[3];
}

int T_POS_Encode(const T_POS *pVal, uint8_t *buffer, size_t capacity, size_t *written) {
  uint8_t payload[T_POS_ENCODED_MAX];
  size_t size = 0;
  *written = 0;
  switch (pVal->kind) {
    case longitude_PRESENT:
    case latitude_PRESENT:
    case height_PRESENT: {
      uint64_t bits = 0;
      memcpy(&bits, &pVal->u.longitude, sizeof bits);
      put32(payload, (uint32_t)(bits >> 32));
      put32(payload + 4, (uint32_t)bits);
      size = 8;
      break;
    }
    case anInt_PRESENT:
      put32(payload, (uint32_t)pVal->u.anInt);
      size = 4;
      break;
    case intArray_PRESENT:
      if (pVal->u.intArray.nCount < 0 || pVal->u.intArray.nCount > T_POS_ARRAY_MAX) {
        return ERR_T_POS_ARRAY;
      }
      for (int32_t i = 0; i < pVal->u.intArray.nCount; i++) {
        put32(payload + size, (uint32_t)pVal->u.intArray.arr[i]);
        size += 4;
      }
      break;
    default:
      return ERR_T_POS_KIND;
  }
  if (capacity < size + 3) {
    return ERR_T_POS_SPACE;
  }
  buffer[0] = (uint8_t)pVal->kind;
  buffer[1] = (uint8_t)size;
  memcpy(buffer + 2, payload, size);
  buffer[2 + size] = checksum(buffer, 2 + size);
  *written = size + 3;
  T_STATS_Record((uint32_t)*written);
  return ERR_NONE;
}

int T_POS_Decode(T_POS *pVal, const uint8_t *buffer, size_t length) {
  if (length < 3) {
    return ERR_T_POS_SHORT;
  }
  const size_t size = buffer[1];
  if (size > T_POS_ENCODED_MAX - 3 || size + 3 > length) {
    return ERR_T_POS_SHORT;
  }
  if (checksum(buffer, 2 + size) != buffer[2 + size]) {
    return ERR_T_POS_CHECKSUM;
  }
  memset(pVal, 0, sizeof *pVal);
  switch (buffer[0]) {
    case longitude_PRESENT:
    case latitude_PRESENT:
    case height_PRESENT: {
      if (size != 8) {
        return ERR_T_POS_SHORT;
      }
      const uint64_t bits = ((uint64_t)get32(buffer + 2) << 32) | get32(buffer + 6);
      memcpy(&pVal->u.longitude, &bits, sizeof bits);
      break;
    }
    case anInt_PRESENT:
      if (size != 4) {
        return ERR_T_POS_SHORT;
      }
      pVal->u.anInt = (My2ndInt)get32(buffer + 2);
      break;
    case intArray_PRESENT:
      if (size % 4 != 0 || size / 4 > T_POS_ARRAY_MAX) {
        return ERR_T_POS_ARRAY;
      }
      pVal->u.intArray.nCount = (int32_t)(size / 4);
      for (size_t i = 0; i < size / 4; i++) {
        pVal->u.intArray.arr[i] = (int32_t)get32(buffer + 2 + 4 * i);
      }
      break;
    default:
      return ERR_T_POS_KIND;
  }
  pVal->kind = (T_POS_selection)buffer[0];
  return ERR_NONE;
}
