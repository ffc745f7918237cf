// What takes long is for `tests/run long`, which sets TILLROLL_LONG and runs every test file that imports this one: { skip: notLong } leaves
// a test to it, and `daily` says what is enough otherwise. `tests/run` has a sample of everything that is only whole there.
export const isLong = process.env.TILLROLL_LONG !== undefined;
export const notLong = !isLong && 'long: tests/run long';

// All of a list in the long run; otherwise every n-th, from the first.
export const daily = (list, n) => (isLong ? [...list] : list.filter((_, i) => i % n === 0));
