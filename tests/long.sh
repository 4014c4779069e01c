# Sourced by tests that `make check` runs in part and `make check-long` whole (LONG, set by `tests/run long`).

# long WORD...: the words where there is time for all, nothing in `make check`
long() {
	[ -z "${LONG:-}" ] || echo "$@"
}

# long_only COMMAND...: runs it, or leaves it out
long_only() {
	[ -z "${LONG:-}" ] || "$@"
}
