class Store {
 public:
  virtual ~Store() {}
  virtual int room() const = 0;
  virtual int left(short used) const { return room() + used; }
};
class Disk : public Store {
  int room_;
 public:
  explicit Disk(short room) : room_(room) {}
  int room() const override { return room_; }
  int left(short used) const override { return used; }
};
class Tape : public Disk {
 public:
  explicit Tape(short room) : Disk(room) {}
};
