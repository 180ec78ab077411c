#include "tree.h"

#include <stdlib.h>
#include <string.h>

struct tree_node {
  tree_kind kind;
  tree_node *first, *next;
  int number;
  char *text;
};

static tree_node *node_new(tree_node *parent, tree_kind kind) {
  tree_node *node = calloc(1, sizeof *node);
  if (!node) return NULL;
  node->kind = kind;
  if (parent) {
    node->next = parent->first;
    parent->first = node;
  }
  return node;
}

tree_node *node_new_group(tree_node *parent) { return node_new(parent, NODE_GROUP); }

tree_node *node_new_number(tree_node *parent, int number) {
  tree_node *node = node_new(parent, NODE_NUMBER);
  if (node) node->number = number;
  return node;
}

tree_node *node_new_text(tree_node *parent, const char *text) {
  if (!text) return NULL;
  tree_node *node = node_new(parent, NODE_TEXT);
  if (node && (node->text = malloc(strlen(text) + 1))) strcpy(node->text, text);
  return node;
}

void node_free(tree_node *node) {
  while (node->first) {
    tree_node *child = node->first;
    node->first = child->next;
    node_free(child);
  }
  free(node->text);
  free(node);
}

tree_kind node_kind(const tree_node *node) { return node->kind; }
int node_number(const tree_node *node) { return node->number; }
const char *node_text(const tree_node *node) { return node->text; }
