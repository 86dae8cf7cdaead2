import { and, eq, or, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { idList, isAnyOf } from '#db/is-any-of.ts';
import { assets } from '#db/schema/assets.ts';
import { type Given, statement } from '#db/statement.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { CheckDefinition, Failure } from '#shared/features/checks/definition.ts';
import { definitionOf, type RecordVisitInput } from '#shared/features/checks/index.ts';
import type { LogResult } from '#shared/features/checks/log.vocabulary.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import type { Command } from '../../kernel/commands.ts';
import type { CheckedBuilding } from './checked-site.ts';

/** An entry of any kind. */
export type AnyEntry = RecordVisitInput['entries'][number];

/** An entry with its subject and result. */
export type JudgedEntry = {
  id: string;
  photoIds: string[];
  assetId: string | null;
  subjectKey: string;
  subjectName: string;
  subjectPlace: string | null;
  assetRetired: boolean;
  result: LogResult;
  /** The failed entry that this one retests. */
  retestOf: string | null;
  failure: Failure | null;
  /** The columns of the kind's own table. */
  stored: Record<string, unknown>;
};

type AssetFacts = Pick<
  typeof assets.$inferSelect,
  'id' | 'name' | 'location' | 'outletKind' | 'retiredAt' | 'effectiveType'
>;

/**
 * Judges entries by the building's present data; results computed by a phone are ignored (ruling L9).
 * @param pathOf path of an entry in the input
 * @throws AppError `invalid` at each entry whose asset is not in this building
 */
export async function judgeEntries(
  { tx }: Command,
  site: CheckedBuilding,
  kind: RecordVisitInput['kind'],
  { entries, pathOf }: { entries: readonly AnyEntry[]; pathOf: (index: number) => string },
): Promise<JudgedEntry[]> {
  const judged = await judgeLines(tx, site, kind, entries);
  const fields = Object.fromEntries(
    judged.flatMap(({ strange }, index) => {
      const entry = entries[index];
      if (!strange || entry === undefined) return [];
      return [[`${pathOf(index)}.${subjectField(entry)}`, checkMessages.subjectUnknown]];
    }),
  );
  if (Object.keys(fields).length > 0) throw new AppError('invalid', { data: { fields } });
  return judged.map(({ strange: _strange, ...entry }) => entry);
}

/** The assets of a building that have one of these ids, or that have this type and one of these name keys. */
const selectAssetFacts = statement(
  (
    db,
    given: Given<{ buildingId: string; type: string; ids: string; names: string }>,
    { byId, byName }: { byId: boolean; byName: boolean },
  ) => {
    const isNamed = sql`${assets.nameKey} = any(array(select jsonb_array_elements_text(${given.names}::text::jsonb)))`;
    return db
      .select({
        id: assets.id,
        name: assets.name,
        location: assets.location,
        outletKind: assets.outletKind,
        retiredAt: assets.retiredAt,
        effectiveType: assets.effectiveType,
      })
      .from(assets)
      .where(
        and(
          eq(assets.buildingId, given.buildingId),
          or(
            byId ? isAnyOf(assets.id, given.ids) : sql`false`,
            byName ? and(eq(assets.effectiveType, given.type), isNamed) : undefined,
          ),
        ),
      );
  },
);

/** Judges without refusing: an entry is `strange` if its asset is not in this building. */
export async function judgeLines(
  db: Queryable,
  site: Pick<CheckedBuilding, 'id' | 'isHealthcare'>,
  kind: RecordVisitInput['kind'],
  entries: readonly AnyEntry[],
): Promise<(JudgedEntry & { strange: boolean })[]> {
  const check = definitionOf(kind);
  const subjects = entries.map((entry) => check.about(entry));
  const ids = subjects.flatMap(({ assetId }) => (assetId === null ? [] : [assetId.toLowerCase()]));
  const namesApart = check.subject.of === 'place' && check.subject.namesApart === true;
  const places = namesApart ? [] : subjects.flatMap(({ place }) => (place === null ? [] : [nameKey(place)]));
  const known = await selectAssetFacts(
    db,
    { buildingId: site.id, type: check.subject.type, ids: idList(ids), names: JSON.stringify(places) },
    { byId: ids.length > 0, byName: places.length > 0 },
  );
  const byId = new Map(known.map((asset) => [asset.id, asset]));
  const byName = new Map(
    known
      .filter(
        ({ retiredAt, effectiveType }) =>
          !namesApart && retiredAt === null && effectiveType === check.subject.type,
      )
      .map((asset) => [nameKey(asset.name), asset]),
  );

  return entries.map((entry, index) => {
    const { assetId, place } = subjects[index] ?? { assetId: null, place: null };
    const asset = assetId === null ? byName.get(nameKey(place ?? '')) : byId.get(assetId.toLowerCase());
    const judged = judgeEntry(check, entry, { asset, place, healthcare: site.isHealthcare });
    return { ...judged, strange: asset === undefined && assetId !== null };
  });
}

/** The assets that all these entries name by their ids; undefined if one of them names a place. */
export function assetsNamedBy(
  kind: RecordVisitInput['kind'],
  entries: readonly AnyEntry[],
): string[] | undefined {
  const check = definitionOf(kind);
  const ids = entries.flatMap((entry) => check.about(entry).assetId?.toLowerCase() ?? []);
  return ids.length === entries.length ? ids : undefined;
}

function subjectField(entry: AnyEntry): string {
  return 'outletId' in entry ? 'outletId' : 'assetId';
}

function judgeEntry(
  check: CheckDefinition,
  entry: AnyEntry,
  about: { asset: AssetFacts | undefined; place: string | null; healthcare: boolean },
): JudgedEntry {
  const { asset, place, healthcare } = about;
  const facts = { outletKind: asset?.outletKind ?? null, healthcare };
  const { result, derived } = check.judge(entry, facts);
  const subjectName = place ?? asset?.name ?? '';
  const { photoIds, ...fields } = entry;
  return {
    id: entry.id.toLowerCase(),
    photoIds,
    assetId: asset?.id ?? null,
    subjectKey: asset?.id ?? nameKey(subjectName),
    subjectName,
    subjectPlace: asset?.location ?? null,
    assetRetired: asset !== undefined && asset.retiredAt !== null,
    result,
    retestOf: null,
    failure: result === 'fail' ? (check.failure?.(entry, facts, subjectName) ?? null) : null,
    // A place with the name of an asset is that asset.
    stored: { ...fields, ...derived, ...('assetId' in fields ? { assetId: asset?.id ?? null } : {}) },
  };
}

/** The assets that were visited. Entries with the result `not_tested` do not count, such as entries of incidents. */
export function visitedBy(entries: readonly JudgedEntry[]): string[] {
  const ids = entries.flatMap(({ assetId, result }) =>
    assetId === null || result === 'not_tested' ? [] : [assetId],
  );
  return [...new Set(ids)];
}
