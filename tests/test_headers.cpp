// Nothing but what its target compiles once for all tests: the headers most of them include.
