import { IMPORT_MAX_BYTES, IMPORT_MAX_ROWS } from '#shared/features/imports/imports.vocabulary.ts';
import { type Handlers, serve } from '#tests/support/server/child.ts';

// Uploads files to be checked, from a process of its own, because sending ten megabytes costs processor time, too.

const HEADERS = {
  buildings: 'Client,Building Name,Address,Floors,Basement,Healthcare\n',
  people: 'First Name,Last Name,Email,Role,Buildings\n',
} as const;
type Kind = keyof typeof HEADERS;

/** Files that are hard to parse, each as large as allowed; the last one is realistic. */
const FILES = {
  'commas on one line': () => full('buildings', ','),
  'commas in the first line': () => ','.repeat(IMPORT_MAX_BYTES),
  'quotation marks': () => full('buildings', '"'),
  'quoted cells without end': () => full('buildings', '"",'),
  'empty lines': () => full('buildings', '\n'),
  'lines of 64 cells': () => full('buildings', `${','.repeat(63)}\n`),
  'one long cell': () =>
    `${HEADERS.buildings}"${'x'.repeat(IMPORT_MAX_BYTES - HEADERS.buildings.length - 3)}"\n`,
  'people with JSON in a cell': () => full('people', '{"a":[{"a":[1]}]};'),
  'people with thousands of buildings each': () =>
    filled('people', (n) => `A,B,a${n}@x.org,viewer,${'x;'.repeat(470)}`),
  'a fault in each cell': () => filled('buildings', (n) => `,"${'x'.repeat(470)}${n}",,x,x,x`),
  'as many rows as there may be': () =>
    filled('buildings', (n) => `Client ${n % 40},House ${n},${n} Quay Street,3,yes,no`),
} as const satisfies Record<string, () => string>;
export type FileName = keyof typeof FILES;

const handlers = {
  names: (): FileName[] => Object.keys(FILES) as FileName[],
  /** @returns the status of each answer */
  async check(input: { url: string; cookies: string[]; name: FileName }): Promise<number[]> {
    const body = FILES[input.name]();
    const kind: Kind = input.name.startsWith('people') ? 'people' : 'buildings';
    return Promise.all(
      input.cookies.map(async (cookie) => {
        const answer = await fetch(`${input.url}/files/import/${kind}/check`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'text/csv', 'x-app': '1', origin: input.url },
          body,
        });
        for await (const _ of answer.body ?? []);
        return answer.status;
      }),
    );
  },
} satisfies Handlers;
export type SenderHandlers = typeof handlers;

function full(kind: Kind, piece: string): string {
  const header = HEADERS[kind];
  return `${header}${piece.repeat(Math.floor((IMPORT_MAX_BYTES - header.length) / piece.length))}`;
}

function filled(kind: Kind, line: (n: number) => string): string {
  const lines = Array.from({ length: IMPORT_MAX_ROWS }, (_, n) => line(n));
  return `${HEADERS[kind]}${lines.join('\n')}`.slice(0, IMPORT_MAX_BYTES);
}

serve(handlers);
