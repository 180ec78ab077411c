#include "sheet.hpp"
Sheet *Sheet::make(int lines, int columns) { return new Sheet(lines < 0 ? 0 : lines % 64, columns % 32 + 1); }
int room_on(Sheet *sheet, int used) { return sheet->cells() - (used & 15); }
