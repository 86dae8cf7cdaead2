/**
 * How long a test waits for what must come: long enough for a machine that is busy with other tests, and reached only by
 * a failing one. For `vi.waitFor` and `expect.poll`, whose own is a second. The time-outs of all tests are longer.
 */
export const PATIENCE = { timeout: 30_000, interval: 50 };
