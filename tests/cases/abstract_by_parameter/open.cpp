struct Named {
  virtual ~Named() {}
  virtual int id() const = 0;
};
struct Kept : virtual Named {
  int id() const override { return kept_; }
  void keep(int n) { kept_ = n; }
  int kept_ = 3;
};
template <class Store>
class Checked : public virtual Named, public Store {
 public:
  int checked(int n) const {
    return n > 5 ? this->id() : 0;
  }
};
typedef Checked<Kept> CheckedKept;
int use(const CheckedKept &it) { return it.checked(6); }
