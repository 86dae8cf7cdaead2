/**
 * The most rows of each list that grows with use and is answered without pages, by procedure. The commands that add to a
 * list enforce its bound.
 */
export const LIST_BOUNDS = {
  /**
   * The buildings in use: an administrator's pickers list all of them. The product is made for 2,000, with which the answer
   * has about 600 kB.
   */
  'locations.mine': 5_000,
  /** The test points of a building. A phone stores them, with those of other buildings. */
  'checks.register': 500,
  /** Disciplines in use. A phone stores all of them. */
  'documents.disciplines.list': 200,
  /** The versions of a document. A version that becomes current again counts as a new one. */
  'documents.byId': 200,
  /** The certificates of a task's completions. */
  'documents.ofTask': 1_000,
  /** The lines of a task's record: enough for eight years of a daily task. */
  'tasks.record': 3_000,
} as const satisfies Record<string, number>;
