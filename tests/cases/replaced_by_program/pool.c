int level = 3;

int pool_noise(void) { return 7; }

int pool_level(void) { return level * 2; }
