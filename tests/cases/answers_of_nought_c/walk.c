typedef int (*walk_cb)(int at);

struct walk_hooks {
  walk_cb on_begin, on_head, on_name, on_value, on_body, on_tail, on_gap, on_end;
};

int walk(const struct walk_hooks *hooks, int sum) {
  if (!hooks || !hooks->on_begin || !hooks->on_head || !hooks->on_name || !hooks->on_value) return -1;
  if (!hooks->on_body || !hooks->on_tail || !hooks->on_gap || !hooks->on_end) return -2;
  if (hooks->on_begin(1) || hooks->on_head(2) || hooks->on_name(3) || hooks->on_value(4)) return -3;
  if (hooks->on_body(5) || hooks->on_tail(6) || hooks->on_gap(7) || hooks->on_end(8)) return -4;
  if (sum == 73737) return sum * 2;
  return sum;
}
