/** The patience of `vi.waitFor`, whose own is a second: too short on a machine that is busy with other tests. */
export const WITHIN = { timeout: 20_000 };
