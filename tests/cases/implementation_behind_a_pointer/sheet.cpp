#include "sheet.hpp"

#include <cstring>

struct SheetState {
  std::string title, author, comment, text;
  int depth = 0;
  int columns = 0;
  int height = 0;
};

SheetWriter::SheetWriter() : state_(new SheetState) {}
SheetWriter::~SheetWriter() = default;

void SheetWriter::setTitle(const std::string &title) { state_->title = title; }
void SheetWriter::setAuthor(const std::string &author) { state_->author = author; }
void SheetWriter::setComment(const std::string &comment) { state_->comment = comment; }
void SheetWriter::insertText(const std::string &text) { state_->text += text; }
void SheetWriter::insertTab() { state_->text += '\t'; }
void SheetWriter::insertSpace() { state_->text += ' '; }
void SheetWriter::insertLine() { state_->text += '\n'; }

void SheetWriter::beginSheet(int columns) {
  ++state_->depth;
  state_->columns = columns;
}

void SheetWriter::endSheet() { --state_->depth; }
void SheetWriter::beginRow(int height) { state_->height = height; }

bool SheetWriter::hasPlace(int width) const {
  if (state_->depth != 1 || state_->height < 4) return false;
  return width > 2 && width <= state_->columns;
}

struct Meter::Data {
  char name[8] = "", unit[8] = "", note[8] = "", label[8] = "";
  int colour = 0, mark = 0, offset = 0;
};

Meter::Meter() : data_(new Data) {}
Meter::~Meter() { delete data_; }

void Meter::setName(const char *name) { strncpy(data_->name, name, sizeof data_->name - 1); }
void Meter::setUnit(const char *unit) { strncpy(data_->unit, unit, sizeof data_->unit - 1); }
void Meter::setColour(int colour) { data_->colour = colour; }
void Meter::addNote(const char *note) { strncpy(data_->note, note, sizeof data_->note - 1); }
void Meter::addLabel(const char *label) { strncpy(data_->label, label, sizeof data_->label - 1); }
void Meter::addMark(int mark) { data_->mark = mark; }
void Meter::calibrate(int offset) { data_->offset = offset; }

int Meter::reading(int raw) const {
  if (data_->offset <= 0) return -1;
  return raw % data_->offset;
}
