int main(void) {
    return 0; /* a, b */
}
