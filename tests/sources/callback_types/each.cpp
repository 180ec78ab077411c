#include <functional>
#include <string>
namespace a { typedef int (*op)(int); }
typedef int (*a_op)(double);
struct P { int v; explicit P(int n) : v(n) {} };
struct X { explicit X() {} int v = 1; };
int called_int_int(int n) { return n; }
int both(void (*f)(int), void (*g)(int &), int n) { f(n); g(n); return n; }
int longs(void (*f)(long, long), void (*g)(long long), int n) { f(n, n); g(n); return n; }
int apply(a::op f, a_op g, int n) { return f(n) + g(n); }
int own(int (*f)(int), int n) { return f(n) + 1; }
int makes(X (*make)(int), int n) { return make(n).v + 1; }
int deep(int (*(*f)(int))(int), int n) { return f(n) ? 1 : 2; }
int quiet(void (*f)(int) noexcept, int n) { f(n); return n; }
typedef int (*quiet_t)(int) noexcept;
int still(quiet_t f, int n) { return f(n) + 1; }
int more(int (*f)(const char *, ...), int n) { return f("%d", n) + 1; }
struct Node { int v; struct Deep { enum Kind { one, two }; };
  int visit(void (*f)(Node::Deep::Kind, const Node &), int k) { f(k > 2 ? Deep::one : Deep::two, *this); return v; } };
int none(P (*make)(int), int n) { return make(n).v; }
