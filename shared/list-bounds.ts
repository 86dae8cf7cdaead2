/**
 * Lists that grow with use and are answered whole, by procedure: the most rows of each, which the commands that add to it
 * enforce.
 */
export const LIST_BOUNDS = {
  /**
   * The buildings in use, all of which an administrator's pickers list. The product is made for 2,000; the answer about so
   * many is some 600 kB.
   */
  'locations.mine': 5_000,
  /** The test points of a building, which a phone keeps with all others. */
  'checks.register': 500,
  /** Disciplines in use; a phone keeps all. */
  'documents.disciplines.list': 200,
  /** The versions of a document. A version that becomes current again is a further one. */
  'documents.byId': 200,
  /** The certificates of a task's completions. */
  'documents.ofTask': 1_000,
  /** The lines of a task's record: of a daily task, those of eight years. */
  'tasks.record': 3_000,
} as const satisfies Record<string, number>;
