import { and, eq } from 'drizzle-orm';
import { tasks } from '#db/schema/tasks.ts';
import { addDays, DAY_MS, DEFAULT_TIME_ZONE, dayOf, instantOf, MINUTE_MS } from '#shared/dates.ts';
import type { DocumentPlace } from '#shared/features/documents/documents.ts';
import type { FolderColor } from '#shared/features/documents/documents.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { addDiscipline } from '../features/disciplines/disciplines.commands.ts';
import { createFolder } from '../features/documents/folders.commands.ts';
import type { SignedInContext } from '../kernel/context.ts';
import { smaller, toPng, toWebp } from './picture-formats.ts';
import { floorPlan } from './plan-picture.ts';
import { SAMPLE_BUILDINGS } from './portfolio.ts';
import { pdfOf } from './sample-pdf.ts';
import {
  type About,
  SAMPLE_NOTES,
  SAMPLE_PAPERS,
  type SampleNote,
  type SamplePaper,
} from './sample-texts.ts';
import { type SampleFile, storeSampleFile } from './store-sample-file.ts';

/** The certificates of a task's completions belong to the discipline with the name of the task's system. */
const DISCIPLINES = ['Electrical Installation', 'Fire Safety', 'Lifting Equipment', 'Water Hygiene'] as const;
type Discipline = (typeof DISCIPLINES)[number] | null;

const FOLDERS: readonly (readonly [string, Discipline, string, FolderColor])[] = [
  ['HAR', 'Fire Safety', 'Floor plans', 'red'],
  ['HAR', 'Fire Safety', 'Risk assessments', 'orange'],
  ['HAR', 'Water Hygiene', 'Laboratory results', 'teal'],
  ['HAR', null, 'Contracts', 'purple'],
  ['MIL', 'Fire Safety', 'Floor plans', 'red'],
];

/**
 * Building, discipline, folder, name, content, days since the upload, days until it expires. The expiry belongs to the
 * document, not to a version.
 */
type SampleDocument = readonly [
  code: string,
  discipline: Discipline,
  folder: string | null,
  name: string,
  content: SamplePaper | SampleNote | Parameters<typeof floorPlan>[0],
  daysAgo: number,
  expiresInDays?: number,
];

// biome-ignore format: a table, one line a document; a name that comes again is its next version
const DOCUMENTS: readonly SampleDocument[] = [
  ['HAR', 'Fire Safety', 'Floor plans', 'Ground floor.png', [[3, 2, 2], [2, 3, 2]], 290],
  ['HAR', 'Fire Safety', 'Floor plans', 'First floor.png', [[2, 2, 2, 2], [3, 3, 2]], 290],
  ['HAR', 'Fire Safety', 'Floor plans', 'Second floor.png', [[4, 2, 2], [2, 2, 2, 2]], 290],
  ['HAR', 'Fire Safety', 'Risk assessments', 'Fire risk assessment.pdf', 'riskAssessment', 399, 344],
  ['HAR', 'Fire Safety', 'Risk assessments', 'Fire risk assessment.pdf', 'riskAssessment', 215],
  ['HAR', 'Fire Safety', 'Risk assessments', 'Fire risk assessment.pdf', 'riskAssessment', 21],
  ['HAR', 'Fire Safety', null, 'Fire alarm service.pdf', 'alarmCertificate', 148, 17],
  ['HAR', 'Fire Safety', null, 'Evacuation, ground floor.png', [[3, 2, 2], [2, 3, 2]], 64],
  ['HAR', 'Water Hygiene', null, 'Legionella risk assessment.pdf', 'legionella', 250, 480],
  ['HAR', 'Water Hygiene', null, 'Outlets.csv', 'outlets', 96],
  ['HAR', 'Water Hygiene', 'Laboratory results', 'Analysis, spring.pdf', 'laboratory', 210],
  ['HAR', 'Water Hygiene', 'Laboratory results', 'Analysis, autumn.pdf', 'laboratory', 34],
  ['HAR', 'Electrical Installation', null, 'Condition report.pdf', 'eicr', 390, -12],
  ['HAR', null, null, 'Access and keys.txt', 'keys', 120],
  ['HAR', null, 'Contracts', 'Insurance certificate.pdf', 'insurance', 205, 160],
  ['MIL', 'Fire Safety', 'Floor plans', 'Ground floor.png', [[2, 2], [3, 2, 2]], 180],
  ['MIL', 'Fire Safety', null, 'Fire risk assessment.pdf', 'riskAssessment', 170, 195],
  ['QUA', 'Water Hygiene', null, 'Legionella risk assessment.pdf', 'legionella', 240, 21],
  ['STG', 'Fire Safety', null, 'Fire risk assessment.pdf', 'riskAssessment', 80, 285],
];

/** Certificates, each attached to the last completion of a task a day after it. */
const CERTIFICATES: readonly (readonly [
  code: string,
  system: string,
  name: string,
  content: SamplePaper,
  daysAgo: number,
])[] = [
  ['HAR', 'Lifting Equipment', 'Thorough examination, lift 1.pdf', 'loler', 109],
  ['MIL', 'Electrical Installation', 'Condition report.pdf', 'eicr', 300],
  ['QUA', 'Lifting Equipment', 'Thorough examination, lifts.pdf', 'loler', 74],
];

/** A call at a moment, in Unix milliseconds. `keptAt`: for a certificate, the building whose manager makes the call. */
type Happening = { at: number; keptAt?: string; run(ctx: SignedInContext): Promise<unknown> };

/** The history of the documents: disciplines and folders in the first days, then one upload after the other. */
export function tellDocuments(
  now: number,
  opened: number,
  buildingIds: ReadonlyMap<string, string>,
): Happening[] {
  const disciplineIds = new Map(DISCIPLINES.map((name) => [name, uuidv7(opened)]));
  const folderIds = new Map(FOLDERS.map(([code, , name]) => [`${code} ${name}`, uuidv7(opened)]));
  const buildingOf = (code: string) => {
    const id = buildingIds.get(code);
    if (id === undefined) throw new Error(`the sample has no building ${code}`);
    return id;
  };
  const topOf = (discipline: Discipline): DocumentPlace => ({
    at: 'discipline',
    disciplineId: discipline === null ? null : (disciplineIds.get(discipline) ?? null),
  });
  const inFirstDays = (index: number) => opened + 2 * DAY_MS + index * MINUTE_MS;
  const disciplines = DISCIPLINES.map((name, index): Happening => {
    const id = disciplineIds.get(name) ?? '';
    return { at: inFirstDays(index), run: (ctx) => addDiscipline(ctx, { operationId: uuidv7(), id, name }) };
  });
  const folders = FOLDERS.map(([code, discipline, name, color], index): Happening => {
    const id = folderIds.get(`${code} ${name}`) ?? '';
    const folder = { id, buildingId: buildingOf(code), place: topOf(discipline), name, color };
    return {
      at: inFirstDays(DISCIPLINES.length + index),
      run: (ctx) => createFolder(ctx, { operationId: uuidv7(), ...folder }),
    };
  });
  const uploads = DOCUMENTS.map(
    ([code, discipline, folder, name, content, daysAgo, expires], index): Happening => {
      const at = workingHour(now, daysAgo) + index * MINUTE_MS;
      const day = dayOf(at, DEFAULT_TIME_ZONE);
      const folderId = folder === null ? undefined : folderIds.get(`${code} ${folder}`);
      const { thumbnail, ...file } = fileOf(name, content, aboutOf(code, day));
      const input = {
        buildingId: buildingOf(code),
        place: folderId === undefined ? topOf(discipline) : ({ at: 'folder', folderId } as const),
        onSameName: 'version' as const,
        expiresOn: expires === undefined ? null : addDays(dayOf(now, DEFAULT_TIME_ZONE), expires),
        ...(thumbnail !== undefined && { thumbnail }),
      };
      return { at, run: (ctx) => storeSampleFile(ctx, input, file) };
    },
  );
  const certificates = CERTIFICATES.map(([code, system, name, content, daysAgo], index): Happening => {
    const at = workingHour(now, daysAgo) + index * MINUTE_MS;
    const file = fileOf(name, content, aboutOf(code, dayOf(at - DAY_MS, DEFAULT_TIME_ZONE)));
    const run = async (ctx: SignedInContext) => {
      const buildingId = buildingOf(code);
      const completionId = await lastCompletion(ctx, buildingId, system);
      await storeSampleFile(ctx, { buildingId, place: { at: 'building' }, proofOf: { completionId } }, file);
    };
    return { at, keptAt: code, run };
  });
  return [...disciplines, ...folders, ...uploads, ...certificates];
}

/** The beginning of work on the day a number of days ago, in Unix milliseconds. */
function workingHour(now: number, daysAgo: number): number {
  return instantOf(dayOf(now - daysAgo * DAY_MS, DEFAULT_TIME_ZONE), '09:20', DEFAULT_TIME_ZONE);
}

async function lastCompletion(
  { services }: SignedInContext,
  buildingId: string,
  system: string,
): Promise<string> {
  const [task] = await services.db
    .select({ completionId: tasks.completionId })
    .from(tasks)
    .where(and(eq(tasks.buildingId, buildingId), eq(tasks.complianceSystem, system)));
  if (task?.completionId == null) throw new Error(`no task of ${system} was completed in the sample`);
  return task.completionId;
}

function aboutOf(code: string, day: string): About {
  const { name = '', address = '' } = SAMPLE_BUILDINGS.find((each) => each.code === code) ?? {};
  return { building: name, address, day };
}

function fileOf(name: string, content: SampleDocument[4], about: About): SampleFile & { thumbnail?: string } {
  if (typeof content !== 'string') {
    const plan = floorPlan(content);
    const thumbnail = toWebp(smaller(plan, 4)).toString('base64');
    return { name, type: 'image/png', bytes: toPng(plan), thumbnail };
  }
  if (isNote(content)) {
    return {
      name,
      type: name.endsWith('.csv') ? 'text/csv' : 'text/plain',
      bytes: Buffer.from(SAMPLE_NOTES[content](about)),
    };
  }
  return { name, type: 'application/pdf', bytes: pdfOf(SAMPLE_PAPERS[content](about), about.building) };
}

function isNote(content: SamplePaper | SampleNote): content is SampleNote {
  return content in SAMPLE_NOTES;
}
