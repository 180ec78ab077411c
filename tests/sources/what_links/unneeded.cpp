// The compiler takes this, and the assembler does not.
void unneeded() {
  asm("there is no such instruction");
}
