/**
 * How long a test waits for a state: long enough for a machine that is busy with other tests, so that only a failing test
 * reaches it. For `vi.waitFor` and `expect.poll`, whose default is a second. The timeouts of all tests are longer.
 */
export const PATIENCE = { timeout: 30_000, interval: 50 };
