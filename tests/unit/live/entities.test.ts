import { expect, test } from 'vitest';
import { ENTITIES_IN_BUILDINGS, liveEntities } from '#shared/live/live-entities.ts';

type Declared = { liveEntities: Readonly<Record<string, object>> };
const files = import.meta.glob<Declared>('../../../shared/features/**/*.live.ts', { eager: true });

test('the registry has every live entity that a feature declares, each under a name of its own', () => {
  const declared = Object.values(files).flatMap((file) => Object.entries(file.liveEntities));
  expect(Object.entries(liveEntities).sort()).toEqual(declared.sort());
});

test('an archived building takes along the lists of every entity with a building', () => {
  expect([...ENTITIES_IN_BUILDINGS].sort()).toEqual([
    'asset',
    'buildingPulse',
    'checkVisit',
    'document',
    'issue',
    'issueComment',
    'missedPeriod',
    'photo',
    'task',
    'testPoint',
  ]);
});
