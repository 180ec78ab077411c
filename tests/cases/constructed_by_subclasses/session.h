#pragma once

#include <stdexcept>

namespace session {

// A way to somebody else. One session at a time may use it.
class Link {
 public:
  virtual ~Link() = default;

  void take() {
    if (taken_) throw std::logic_error("in use");
    taken_ = true;
  }
  void leave() { taken_ = false; }
  int sent() const { return sent_; }
  void send(int count) { sent_ += count; }

 protected:
  explicit Link(int first) : sent_(first) {}

 private:
  bool taken_ = false;
  int sent_;
};

class Session {
 public:
  explicit Session(Link &link) : link_(link) { link_.take(); }
  virtual ~Session() { link_.leave(); }

  Link &link() const { return link_; }
  virtual int overhead() const = 0;

 private:
  Link &link_;
};

class Plain : public Session {
 public:
  explicit Plain(Link &link) : Session(link) {}
  int overhead() const override { return 0; }
};

class Signed : public Session {
 public:
  explicit Signed(Link &link) : Session(link) {}
  int overhead() const override { return 4; }
};

// What may be derived from; whether anybody sees that is the business of the class.
class Counter {
 public:
  virtual ~Counter() = default;
  int next();

 protected:
  Counter() = default;

 private:
  int count_ = 5;
};

class Job : private Counter {
 public:
  Job() = default;
  int number() { return next(); }
};

// Sends blocks within a session.
class Pipe {
 public:
  explicit Pipe(Session &session) : session_(session) {}
  bool push(unsigned char limit);

 private:
  Session &session_;
  int blocks_ = 0;
};

}  // namespace session
