import { ASSET_TYPE_LABELS, type AssetType } from '../assets/assets.vocabulary.ts';
import type { TaskCheck } from '../checks/kinds.vocabulary.ts';
import { hasPhrase, stemsIn } from './duty-words.ts';
import { OFFERED_TEMPLATES, type TaskTemplate } from './task-templates.ts';
import { taskName } from './tasks.vocabulary.ts';

// Finds the duties that follow from a building's register of assets and for which the building has no task.

/** A building's assets in use, by type. */
export type RegisterCounts = Readonly<Partial<Record<AssetType, number>>>;
/** A task of the building that is in use. */
export type KnownTask = {
  complianceSystem: string;
  taskDescription: string;
  templateId: string | null;
  check: TaskCheck | null;
};

/** A duty without a task, and the assets that cause it. */
export type Duty = { template: TaskTemplate; assets: { type: AssetType; count: number }[] };

export type MissingDuties = {
  /** The register alone shows that the duty exists. */
  missing: Duty[];
  /** The duty depends on the building's nation, height, use, age or size, which a person has to confirm. */
  toConfirm: Duty[];
};

/**
 * The duties without a task, in the order of the library. Yields at each task and each duty, because the whole search takes
 * a third of a second with the most tasks that a building may have and the longest names.
 */
export function* searchMissingDuties(
  register: RegisterCounts,
  tasks: readonly KnownTask[],
): Generator<undefined, MissingDuties, undefined> {
  const found: MissingDuties = { missing: [], toConfirm: [] };
  const named: { task: KnownTask; stems: ReadonlySet<string> }[] = [];
  for (const task of tasks) {
    named.push({ task, stems: stemsIn(taskName(task)) });
    yield;
  }
  for (const template of OFFERED_TEMPLATES) {
    yield;
    const assets = template.assetTypes.flatMap((type) => {
      const count = register[type] ?? 0;
      return count > 0 ? [{ type, count }] : [];
    });
    const mayApply = template.assetTypes.length === 0 || assets.length > 0;
    if (!mayApply || named.some(({ task, stems }) => isAbout(task, stems, template))) continue;
    found[template.dependsOn === null ? 'missing' : 'toConfirm'].push({ template, assets });
  }
  return found;
}

/** Whether a task is about the duty of a template: made from it, satisfied by the same check, or named like it. */
function isAbout(task: KnownTask, stems: ReadonlySet<string>, template: TaskTemplate): boolean {
  if (task.templateId !== null) return task.templateId === template.id;
  if (task.check !== null) return task.check === template.check;
  return template.words.some((phrase) => hasPhrase(stems, phrase));
}

/** "2 lifts, no task: Lifting Equipment – LOLER thorough examination". For a duty to confirm, it also names the fact. */
export function formatDuty(duty: Duty): string {
  return `${formatReason(duty)}, no task: ${taskName(duty.template)}`;
}

/** The reason why a building may have a duty: "2 boilers; Gas appliances in rented homes". */
export function formatReason({ template, assets }: Duty): string {
  const counted = assets.map(({ type, count }) => `${count} ${wordsOf(type, count)}`).join(', ');
  return [counted, template.dependsOn ?? ''].filter((part) => part !== '').join('; ');
}

const PLURALS: Readonly<Partial<Record<AssetType, string>>> = {
  air_conditioning: 'air conditioning',
  fall_arrest: 'fall arrest systems',
  lifting_equipment: 'pieces of lifting equipment',
  lightning_protection: 'lightning protection systems',
  local_exhaust: 'local exhaust systems',
  refrigeration: 'refrigeration units',
  smoke_control: 'smoke control systems',
  tmv: 'TMVs',
};

function wordsOf(type: AssetType, count: number): string {
  const label = type === 'tmv' ? 'TMV' : ASSET_TYPE_LABELS[type].toLowerCase();
  return count === 1 ? label : (PLURALS[type] ?? `${label}s`);
}
