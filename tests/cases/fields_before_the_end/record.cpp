#include "record.h"

#include <cstdlib>

bool Record::take(Sink &sink, int code, const std::string &value) {
  if (code == 0) {
    end(sink);
    return true;
  }
  fields_[code] = value;
  return false;
}

double Record::number(int code) const {
  const auto found = fields_.find(code);
  return found == fields_.end() ? 0 : std::atof(found->second.c_str());
}

void Record::end(Sink &sink) { sink.point(number(10), number(20) + 1); }

bool Tank::pour(int litres) {
  if (litres < 0 || litres > 1000) return false;
  litres_ += litres;
  return true;
}

int Tank::level() const { return litres_ > 1500 ? 3 : litres_ > 20 ? 2 : 1; }

int Hidden::level() const { return rate_ > 40 ? limit_ : 0; }

int Hidden::sum() const {
  int sum = limit_ > 0 ? 1 : 0;
  for (int cell : cells_) sum += cell;
  return sum > 50 ? 2 : 1;
}

int Hidden::many() const { return rates_.size() > 1 ? 5 + limit_ : 6; }
