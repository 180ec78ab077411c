#pragma once
#include <markup/node.h>
int box_size(const markup::Node &node);
int box_weight(markup::Node *node);
