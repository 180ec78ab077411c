/* A position report as an ASN.1 compiler would generate it: one value out of several, checked, encoded and decoded. */
#ifndef TPOS_H
#define TPOS_H

#include <stddef.h>
#include <stdint.h>

typedef int flag;
typedef double asn1Real;
typedef int32_t My2ndInt;

#define T_POS_LABEL_MAX 8
#define T_POS_ARRAY_MAX 6
#define T_POS_SUBTYPES_MAX 3
/* Kind, payload length, payload, checksum. */
#define T_POS_ENCODED_MAX 40

typedef enum {
  T_POS_NONE,
  longitude_PRESENT,
  latitude_PRESENT,
  height_PRESENT,
  subTypeArray_PRESENT,
  label_PRESENT,
  intArray_PRESENT,
  anInt_PRESENT
} T_POS_selection;

typedef struct {
  int32_t nCount;
  char arr[T_POS_LABEL_MAX];
} T_POS_label;

typedef struct {
  int32_t nCount;
  int32_t arr[T_POS_ARRAY_MAX];
} T_ARR;

typedef struct {
  int16_t x;
  int16_t y;
} T_SUB;

typedef struct {
  int32_t nCount;
  T_SUB arr[T_POS_SUBTYPES_MAX];
} T_POS_subTypeArray;

typedef struct {
  T_POS_selection kind;
  union {
    asn1Real longitude;
    asn1Real latitude;
    asn1Real height;
    My2ndInt anInt;
    T_POS_label label;
    T_ARR intArray;
    T_POS_subTypeArray subTypeArray;
  } u;
} T_POS;

enum {
  ERR_NONE = 0,
  ERR_T_POS_KIND = 101,
  ERR_T_POS_LONGITUDE = 102,
  ERR_T_POS_LATITUDE = 103,
  ERR_T_POS_HEIGHT = 104,
  ERR_T_POS_SUBTYPES = 105,
  ERR_T_POS_LABEL = 106,
  ERR_T_POS_ARRAY = 107,
  ERR_T_POS_INT = 108,
  ERR_T_POS_SPACE = 201,
  ERR_T_POS_SHORT = 202,
  ERR_T_POS_CHECKSUM = 203
};

/* constraint.c: 1 when the value is within its constraints; else 0, and which constraint it breaks. */
flag T_POS_IsConstraintValid(const T_POS *pVal, int *pErrCode);
flag T_ARR_IsConstraintValid(const T_ARR *pVal, int *pErrCode);

/* codec.c: both return ERR_NONE or what is wrong. The buffer holds T_POS_ENCODED_MAX bytes at most. */
int T_POS_Encode(const T_POS *pVal, uint8_t *buffer, size_t capacity, size_t *written);
int T_POS_Decode(T_POS *pVal, const uint8_t *buffer, size_t length);

/* track.c: sums over a track of positions. */
#define T_TRACK_POINTS 5
double T_TRACK_Length(const double x[T_TRACK_POINTS], const double y[T_TRACK_POINTS]);
int32_t T_TRACK_MeanStep(const int16_t *steps, size_t count);
unsigned T_TRACK_BitWidth(uint32_t value);
void T_TRACK_Smooth(int16_t heights[T_TRACK_POINTS]);
double T_TRACK_Clamp(double value, double limit);

/* stats.c: how many reports were sent, and the next one's number; how many frames so many bytes take. */
uint32_t T_STATS_Record(uint32_t bytes);
uint32_t T_STATS_Total(void);
uint32_t T_STATS_Send(uint16_t bytes);

#endif
