// Tests that take long are for `tests/run long`, which sets TILLROLL_LONG: { skip: notLong }.
export const notLong = process.env.TILLROLL_LONG === undefined && 'long: tests/run long';
