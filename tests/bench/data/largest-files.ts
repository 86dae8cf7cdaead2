import { createHash } from 'node:crypto';
import { IMPORT_MAX_ROWS, IMPORTS, type ImportKind } from '#shared/features/imports/imports.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { UNSENT_FORMAT, UNSENT_MAX_BYTES, UNSENT_VERSION } from '#shared/offline/unsent-file.ts';
import { lineOf, visitOf } from '#tests/support/rows/checks.ts';
import type { LargestData } from './largest-data.ts';

const MIB = 1024 * 1024;
/** Buildings that `createManyAssets` has made, whose codes are A and a number. */
const BUILDINGS = 1_500;

/**
 * A file with as many rows as it may have.
 * @param mark distinguishes its rows from those of other files
 */
export function largestImport(kind: ImportKind, mark: string): string {
  const building = (n: number) => `A${1 + (n % BUILDINGS)}`;
  const lines: Readonly<Record<ImportKind, (n: number) => string>> = {
    clients: (n) => `Client ${mark} ${n}`,
    buildings: (n) => `Client ${n % 40},House ${mark} ${n},${n} Quay Street,3,yes,no`,
    floors: (n) => `,${building(n)},${10 + Math.floor(n / BUILDINGS)},Floor ${mark}`,
    assets: (n) =>
      `,${building(n)},,Kitchen,Tap ${mark} ${n},Cold tap at the left sink,Water Outlet,Cold,1,Monthly,`,
    tasks: (n) => `,${building(n)},Fire Alarm,Service ${mark} ${n},Monthly,Firewatch Ltd,,,`,
    people: (n) =>
      `${mark.replaceAll(' ', '')}${n}@example.com,Sam,Field ${n},Viewer,${building(n)}; ${building(n + 1)}`,
  };
  const all = IMPORTS[kind].columns.map(({ name }) => name);
  const header =
    kind === 'buildings' ? 'Client,Building Name,Address,Floors,Basement,Healthcare' : all.join(',');
  return [header, ...Array.from({ length: IMPORT_MAX_ROWS }, (_, n) => lines[kind](n))].join('\n');
}

/** The largest file of a phone: some hundred records, and photos that make up nearly all of its size. */
export function largestUnsent({ registered, outlets, personId }: LargestData): string {
  const photoBytes = 10 * MIB;
  const now = new Date().toISOString();
  const photos = Array.from(
    { length: Math.floor((UNSENT_MAX_BYTES * 0.95) / (photoBytes * (4 / 3))) },
    (_, n) => {
      const bytes = Buffer.alloc(photoBytes, n + 1);
      return {
        id: uuidv7(),
        sha256: createHash('sha256').update(bytes).digest('hex'),
        contentType: 'image/jpeg',
        about: { width: 1, height: 1 },
        data: bytes.toString('base64'),
      };
    },
  );
  const entries = Array.from({ length: 200 }, (_, n) => {
    const {
      operationId,
      deviceNow: _later,
      ...input
    } = visitOf('water_temperature_check', {
      buildingId: registered[0] ?? '',
      now,
      entries: outlets.slice(0, 20).map((id) => lineOf('water_temperature_check', 'pass', id)),
    });
    const told = { receipt: null, title: `Round ${n}`, createdAt: now };
    return { id: operationId, command: 'checks.record', input, ...told, attachments: n === 0 ? photos : [] };
  });
  const content = JSON.stringify({ personId, personName: 'Pat', exportedAt: now, entries });
  const sha256 = createHash('sha256').update(content).digest('hex');
  return JSON.stringify({ format: UNSENT_FORMAT, version: UNSENT_VERSION, sha256, content });
}
