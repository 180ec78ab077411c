#include "tree.h"

#include <string.h>

enum { MOST = 5 };

/* So many columns a node takes. */
int layout_width(const tree_node *node) {
  switch (node_kind(node)) {
    case NODE_NUMBER: return node_number(node) > 9 ? 3 : 4;
    case NODE_TEXT: {
      const size_t length = strlen(node_text(node));
      return length > MOST ? MOST : (int)length;
    }
    default: return 1;
  }
}
