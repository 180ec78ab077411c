#include "std.h"
static std::shared_ptr<int> global = std::make_shared<int>(1);
int take_vala(std::valarray<int> v, int k) { return (v.size() ? v[0] | 1 : 0) + (k ^ 1001); }
int Has_vala::look(int k) const { auto &v = v_; return (v.size() ? v[0] | 1 : 0) + (k ^ 1002); }
std::valarray<int> make_vala(int n) { n ^= 1003; return std::valarray<int>(n | 1, 3); }
int take_ec(std::error_code v, int k) { return (v ? 3 : 4) + (k ^ 1004); }
int Has_ec::look(int k) const { auto &v = v_; return (v ? 3 : 4) + (k ^ 1005); }
std::error_code make_ec(int n) { n ^= 1006; return std::error_code(n & 7, std::generic_category()); }
int take_econd(std::error_condition v, int k) { return (v ? 3 : 4) + (k ^ 1007); }
int Has_econd::look(int k) const { auto &v = v_; return (v ? 3 : 4) + (k ^ 1008); }
std::error_condition make_econd(int n) { n ^= 1009; return std::error_condition(n & 7, std::generic_category()); }
int take_tidx(std::type_index v, int k) { return (v == typeid(int) ? 3 : 4) + (k ^ 1010); }
int Has_tidx::look(int k) const { auto &v = v_; return (v == typeid(int) ? 3 : 4) + (k ^ 1011); }
std::type_index make_tidx(int n) { n ^= 1012; return std::type_index(n > 3 ? typeid(int) : typeid(long)); }
int take_eptr(std::exception_ptr v, int k) { return (v ? 3 : 4) + (k ^ 1013); }
int Has_eptr::look(int k) const { auto &v = v_; return (v ? 3 : 4) + (k ^ 1014); }
std::exception_ptr make_eptr(int n) { n ^= 1015; return n > 3 ? std::make_exception_ptr(n) : nullptr; }
int take_fut(std::future<int> v, int k) { return (v.valid() ? 3 : 4) + (k ^ 1016); }
std::future<int> make_fut(int n) { n ^= 1017;
  return n > 3 ? std::async(std::launch::deferred, [n] { return n; }) : std::future<int>(); }
int take_rx(std::regex v, int k) { return (static_cast<int>(v.mark_count()) + 1) + (k ^ 1018); }
int Has_rx::look(int k) const { auto &v = v_; return (static_cast<int>(v.mark_count()) + 1) + (k ^ 1019); }
std::regex make_rx(int n) { n ^= 1020; return std::regex(n > 3 ? "(a)" : "b"); }
int take_sub(std::slice v, int k) { return (static_cast<int>(v.size()) + 1) + (k ^ 1021); }
int Has_sub::look(int k) const { auto &v = v_; return (static_cast<int>(v.size()) + 1) + (k ^ 1022); }
std::slice make_sub(int n) { n ^= 1023; return std::slice(0, static_cast<unsigned>(n) & 7, 1); }
int take_fs(std::fstream &v, int k) { return (v.is_open() ? 3 : 4) + (k ^ 1024); }
int take_ti(const std::type_info &v, int k) { return (v == typeid(int) ? 3 : 4) + (k ^ 1026); }
const std::type_info & make_ti(int n) { n ^= 1027; return n > 3 ? typeid(int) : typeid(long); }
int take_ecat(const std::error_category &v, int k) { return (v == std::generic_category() ? 3 : 4) + (k ^ 1028); }
int take_lock(std::unique_lock<std::mutex> &v, int k) { return (v.owns_lock() ? 3 : 4) + (k ^ 1029); }
int take_promise(std::promise<int> &v, int k) { return ((v.set_value(3), 3)) + (k ^ 1030); }
int take_fpos(std::streampos v, int k) { return (static_cast<int>(v) | 1) + (k ^ 1031); }
int Has_fpos::look(int k) const { auto &v = v_; return (static_cast<int>(v) | 1) + (k ^ 1032); }
std::streampos make_fpos(int n) { n ^= 1033; return std::streampos(n | 1); }
