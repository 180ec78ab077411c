#pragma once
#include <memory>
#include <string>

struct SheetState;

/// A writer of tables whose state is all behind one pointer: what its methods need, other methods make.
class SheetWriter {
 public:
  SheetWriter();
  ~SheetWriter();
  SheetWriter(const SheetWriter &) = delete;
  SheetWriter &operator=(const SheetWriter &) = delete;

  void setTitle(const std::string &title);
  void setAuthor(const std::string &author);
  void setComment(const std::string &comment);
  void insertText(const std::string &text);
  void insertTab();
  void insertSpace();
  void insertLine();
  void beginSheet(int columns);
  void endSheet();
  void beginRow(int height);

  /// Whether a cell of this width has a place in the row.
  bool hasPlace(int width) const;

 private:
  std::unique_ptr<SheetState> state_;
};

/// The same behind a plain pointer.
class Meter {
 public:
  Meter();
  ~Meter();
  Meter(const Meter &) = delete;
  Meter &operator=(const Meter &) = delete;

  void setName(const char *name);
  void setUnit(const char *unit);
  void setColour(int colour);
  void addNote(const char *note);
  void addLabel(const char *label);
  void addMark(int mark);
  void calibrate(int offset);

  int reading(int raw) const;

 private:
  struct Data;
  Data *data_;
};
