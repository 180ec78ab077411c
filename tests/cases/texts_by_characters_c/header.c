/* `Ground/N.` and the rest of a name: a state for each character. */
enum state { START, G, R, O, U, N, D, VERSION, DOT, NAME, LETTERS, DIGITS, END };

int header_read(const char *text, unsigned long length) {
  enum state state = START;
  int version = 0, letters = 0, digits = 0;
  unsigned long at;
  if (!text) return -2;
  for (at = 0; at < length; ++at) {
    const char c = text[at];
    switch (state) {
      case START: if (c != 'G') return -1; state = G; break;
      case G: if (c != 'r') return -1; state = R; break;
      case R: if (c != 'o') return -1; state = O; break;
      case O: if (c != 'u') return -1; state = U; break;
      case U: if (c != 'n') return -1; state = N; break;
      case N: if (c != 'd') return -1; state = D; break;
      case D: if (c != '/') return -1; state = VERSION; break;
      case VERSION: if (c < '0' || c > '9') return -1; version = c - '0' + 40; state = DOT; break;
      case DOT: if (c != '.') return -1; state = NAME; break;
      case NAME: if (c != 'k') return version; state = LETTERS; break;
      case LETTERS: if (c == '-') state = DIGITS; else if (c < 'a' || c > 'z') return -1; else ++letters; break;
      case DIGITS: if (c == ';') state = END; else if (c < '0' || c > '9') return -1; else ++digits; break;
      case END: return version + letters * 3 + digits * 5;
    }
  }
  return 0;
}
