import { DISPLAY_BUILDINGS_MAX } from '#shared/features/displays/displays.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { sameRow } from './largest.ts';
import { type ExpectationsOf, nothing, operation } from './row.ts';

const settings = {
  screens: ['now'],
  seconds: 20,
  turn: 0,
  overscan: 0,
  distance: 5,
  dim: null,
  chime: false,
};
const aDisplay = () => ({ ...operation(), id: uuidv7() });

const displayFor = (buildingIds: readonly string[]) => ({
  ...aDisplay(),
  code: 'BCDF',
  name: 'Sweep',
  view: 'public',
  allBuildings: false,
  buildingIds,
  settings,
});

export const displays: ExpectationsOf<'displays'> = {
  'displays.requestCode': {
    kind: 'mutation',
    needs: 'everyone',
    input: () => ({ width: 1920, height: 1080 }),
    outcome: 'ok',
  },
  'displays.claim': {
    kind: 'mutation',
    needs: 'everyone',
    input: () => ({ claim: 'a-guess' }),
    outcome: 'ok',
  },
  'displays.wall': { kind: 'query', needs: 'display', input: nothing },
  'displays.beat': {
    kind: 'mutation',
    needs: 'display',
    input: () => ({ position: '', build: 'sweep', width: 1920, height: 1080 }),
  },
  'displays.list': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
  'displays.fleet': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
  // The code is invalid and therefore refused before it is looked up, because wrong codes are counted.
  'displays.lookUp': {
    kind: 'mutation',
    needs: 'manage_users',
    input: () => ({ code: 'BCDF' }),
    outcome: 'invalid',
  },
  'displays.pair': {
    kind: 'mutation',
    needs: 'manage_users',
    declares: { sensitive: true },
    input: ({ buildingId }) => displayFor([buildingId]),
    outcome: 'invalid',
    adminOutcome: { own: 'invalid', other: 'invalid', absent: 'invalid' },
    largest: ({ buildings }) => displayFor(buildings.slice(0, DISPLAY_BUILDINGS_MAX)),
  },
  'displays.update': {
    kind: 'mutation',
    needs: 'manage_users',
    declares: { sensitive: true },
    input: () => ({ ...aDisplay(), changes: { name: { from: 'a', to: 'b' } } }),
    outcome: 'not_found',
    largest: ({ displays, buildings }, n) => ({
      ...operation(),
      id: displays.some[n],
      changes: {
        buildingIds: { from: [], to: buildings.slice(0, DISPLAY_BUILDINGS_MAX) },
      },
    }),
  },
  'displays.replace': {
    kind: 'mutation',
    needs: 'manage_users',
    declares: { sensitive: true },
    input: () => ({ ...aDisplay(), code: 'BCDF' }),
    outcome: 'invalid',
  },
  'displays.pause': {
    kind: 'mutation',
    needs: 'manage_users',
    input: () => ({ ...aDisplay(), paused: true }),
    outcome: 'not_found',
    largest: ({ displays }, n) => ({ ...operation(), id: displays.wide, paused: n % 2 === 0 }),
  },
  'displays.reload': {
    kind: 'mutation',
    needs: 'manage_users',
    input: aDisplay,
    outcome: 'not_found',
    largest: sameRow(({ displays }) => displays.wide),
  },
  'displays.unpair': {
    kind: 'mutation',
    needs: 'manage_users',
    input: aDisplay,
    outcome: 'not_found',
    largest: ({ displays }, n) => ({ ...operation(), id: displays.some[10 + n] }),
  },
};
