#ifndef PARSER_H
#define PARSER_H

typedef struct parser_handle *parser;

parser parser_new(void);
int parser_parse(parser handle, const char *content);
int parser_load_file(parser handle, const char *name);
void parser_free(parser handle);

#endif
