/** The parts that the screens of every feature may import. */
const OF_A_FEATURE = [
  'shared',
  'web/lib',
  'web/ui',
  'web/live',
  'web/offline',
  'web/forms',
  'web/features/locations',
  'web/features/session',
  // Several features have photos.
  'web/features/photos',
];

/**
 * The allowed imports. Left: a part of the repository; the longest matching name counts. Right: the parts that its
 * files may import besides their own. `web/features/*` stands for each feature separately.
 */
export const ARROWS: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  db: ['shared'],

  'server/adapters': ['db', 'shared'],
  'server/live': ['db', 'shared', 'server/adapters'],
  'server/access': ['db', 'shared', 'server/adapters'],
  'server/kernel': ['db', 'shared', 'server/adapters', 'server/live', 'server/access'],
  'server/accounts': ['db', 'shared', 'server/adapters', 'server/access', 'server/kernel'],
  // From another feature only its queries and its writes, which `arrows.test.ts` checks.
  'server/features/*': [
    'db',
    'shared',
    'server/adapters',
    'server/live',
    'server/access',
    'server/kernel',
    'server/accounts',
    'server/features/*',
  ],
  'server/offline': [
    'db',
    'shared',
    'server/adapters',
    'server/access',
    'server/kernel',
    'server/features/*',
  ],
  'server/http': [
    'db',
    'shared',
    'server/adapters',
    'server/access',
    'server/kernel',
    'server/features/*',
    'server/offline',
  ],
  'server/boot': ['db', 'shared', 'server/*'],
  'server/sample-data': ['db', 'shared', 'server/*'],

  'web/lib': ['shared'],
  'web/ui': ['shared', 'web/lib'],
  'web/live': ['shared', 'web/lib', 'web/ui'],
  'web/offline': ['shared', 'web/lib'],
  'web/forms': ['shared', 'web/lib', 'web/ui', 'web/live', 'web/offline'],
  // Everything is about a building and a person; other features are combined in web/app.
  'web/features/*': OF_A_FEATURE,
  // A certificate proves the completion of a task.
  'web/features/tasks': [...OF_A_FEATURE, 'web/features/documents'],
  'web/wall': ['shared', 'web/lib', 'web/live'],
  'web/app': ['shared', 'web/*'],
  web: ['shared', 'web/*'],
};

/** The part of the table to which a file belongs. */
export function partOf(path: string): string {
  const names = Object.keys(ARROWS).sort((a, b) => b.length - a.length);
  const name = names.find((candidate) =>
    candidate.endsWith('/*') ? path.startsWith(candidate.slice(0, -1)) : path.startsWith(`${candidate}/`),
  );
  return name ?? '';
}
