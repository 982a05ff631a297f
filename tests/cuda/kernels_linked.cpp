// An executable that holds every kernel as compiled by nvcc, so that a missing symbol is a link
// error.
int main() { return 0; }
