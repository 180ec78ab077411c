#pragma once
#include <istream>
#include <string>
int parse_route(const std::string &text);
int load_weights(std::istream &in);
