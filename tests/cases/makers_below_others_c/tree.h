#ifndef TREE_H
#define TREE_H

typedef struct tree_node tree_node;
typedef enum { NODE_GROUP, NODE_NUMBER, NODE_TEXT } tree_kind;

tree_node *node_new_group(tree_node *parent);
tree_node *node_new_number(tree_node *parent, int number);
tree_node *node_new_text(tree_node *parent, const char *text);
void node_free(tree_node *node);

tree_kind node_kind(const tree_node *node);
int node_number(const tree_node *node);
const char *node_text(const tree_node *node);

#endif
