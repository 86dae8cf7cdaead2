import type { Issue, IssueFilter } from '#shared/features/issues/issues.ts';
import { ISSUE_PRIORITIES, ISSUE_STATUSES } from '#shared/features/issues/issues.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { ROLES } from '#shared/permissions.ts';
import type { Random } from '#tests/support/random.ts';
import type { Building } from '#tests/support/rows/population.ts';
import { wireErrorOf } from '#web/lib/trpc/wire-error.ts';
import { StoppedError } from '#web/live/stream/wire-error.ts';
import { actOnDocuments, DOCUMENT_WEIGHTS, isDocumentAction } from './document-actions.ts';
import type { Entry } from './ledger.ts';
import { actOnTask, TASK_WEIGHTS } from './task-actions.ts';
import type { ChaosWindow } from './window.ts';

/** A person's credentials. */
export type Account = { id: string; email: string; password: string };

export type Scene = {
  random: Random;
  buildings: readonly Building[];
  /** The first is the administrator, whose account is never changed. */
  accounts: readonly Account[];
  /** The disciplines of documents, and General. */
  disciplines: readonly (string | null)[];
  ledger: Entry[];
  /** Actions of people, with their weights. */
  weights: Readonly<Partial<Record<Action, number>>>;
};

export const WEIGHTS = {
  create: 18,
  update: 32,
  comment: 14,
  watchList: 8,
  watchIssue: 8,
  grant: 7,
  revoke: 7,
  setRole: 3,
  signOut: 2,
  offline: 3,
  ...TASK_WEIGHTS,
  ...DOCUMENT_WEIGHTS,
} as const;
type Action = keyof typeof WEIGHTS;

/** Mostly actions on documents, while access, sessions and connections change. */
export const WITH_DOCUMENTS: Scene['weights'] = {
  ...DOCUMENT_WEIGHTS,
  ...{ grant: 2, revoke: 2, setRole: 1, signOut: 1, offline: 2 },
};

const NOTHING = Object.fromEntries(Object.keys(WEIGHTS).map((name) => [name, 0])) as Record<Action, number>; // Object.keys loses the names.

/** Performs one random action in a window. Ends when the person knows the outcome; never rejects. */
export async function act(window: ChaosWindow, scene: Scene): Promise<void> {
  const { random } = scene;
  // All random numbers are drawn first, so that later ones do not depend on what a window shows.
  const what = random.weighted({ ...NOTHING, ...scene.weights });
  const account = random.pick(scene.accounts);
  const other = random.pick(scene.accounts.slice(1));
  let building = random.pick(scene.buildings);
  const dice = random.fork(`${random.below(1e9)}`);
  try {
    if (!window.online) return void (random.chance(0.5) && window.backOnline());
    if (!window.signedIn) return await window.signIn(account.email, account.password);
    // Mostly in a building whose issues the window shows.
    const home = dice.chance(0.8) ? window.someIssue(dice.pick)?.buildingId : undefined;
    building = scene.buildings.find(({ id }) => id === home) ?? building;
    switch (what) {
      case 'create':
        return await create(window, scene, building, dice);
      case 'update':
        return await update(window, scene, dice);
      case 'comment':
        return await comment(window, scene, dice);
      case 'watchList':
        return window.watchList(String(dice.below(2)), someFilter(window, building, dice));
      case 'watchIssue': {
        const issue = window.someIssue(dice.pick);
        return issue && window.watchIssue(String(dice.below(2)), issue.id);
      }
      case 'grant':
      case 'revoke':
        return await write(
          window,
          scene,
          { kind: 'access', id: other.id },
          { userId: other.id, buildingId: building.id },
          (input, options) => window.api.users[what].mutate(input, options),
        );
      case 'setRole':
        return await write(
          window,
          scene,
          { kind: 'access', id: other.id },
          { userId: other.id, role: dice.pick(ROLES) },
          (input, options) => window.api.users.setRole.mutate(input, options),
        );
      case 'signOut':
        return await window.signOut();
      case 'offline':
        return window.offline();
      default:
        if (isDocumentAction(what))
          return await actOnDocuments(what, { window, scene, building, dice, write });
        return await actOnTask(what, { window, scene, building, dice, write });
    }
  } catch {
    // No connection, or no permission at present: a later step tries again, as a person would.
  }
}

async function create(window: ChaosWindow, scene: Scene, building: Building, dice: Random): Promise<void> {
  const id = uuidv7();
  const title = `Lamp ${id.slice(-8)} is out`;
  const input = {
    id,
    buildingId: building.id,
    title,
    description: '',
    priority: dice.pick(ISSUE_PRIORITIES),
  };
  const now = new Date().toISOString();
  const patch: Issue = {
    ...input,
    referenceNumber: `${building.code}-…`,
    buildingName: building.name,
    status: 'open',
    source: 'person',
    reportedBy: window.personId ?? null,
    reportedByName: null,
    reportedByKey: null,
    assignedTo: null,
    assignedToName: null,
    createdAt: now,
    updatedAt: now,
    resolvedAt: null,
    respondedAt: null,
    respondDueAt: null,
    resolveDueAt: null,
    pauseReason: null,
    pausedAt: null,
    acknowledgedAt: null,
    acknowledgedByName: null,
    version: 0,
  };
  await write(
    window,
    scene,
    { kind: 'create', id },
    input,
    (whole, options) => window.api.issues.create.mutate(whole, options),
    { entity: 'issue', id, base: undefined, patch },
  );
}

async function update(window: ChaosWindow, scene: Scene, dice: Random): Promise<void> {
  const issue = window.someIssue(dice.pick);
  if (issue === undefined || issue.version < 1) return;
  const token = `Lamp ${uuidv7().slice(-12)} changed`;
  const status = dice.pick(ISSUE_STATUSES);
  const changes = {
    title: { from: issue.title, to: token },
    ...(dice.chance(0.6) && status !== issue.status ? { status: { from: issue.status, to: status } } : {}),
    ...(dice.chance(0.3) ? { priority: { from: issue.priority, to: dice.pick(ISSUE_PRIORITIES) } } : {}),
  };
  const patch: Partial<Issue> = { title: token };
  if (changes.status !== undefined) patch.status = changes.status.to;
  if (changes.priority !== undefined) patch.priority = changes.priority.to;
  await write(
    window,
    scene,
    { kind: 'update', id: issue.id, token },
    { id: issue.id, changes },
    (whole, options) => window.api.issues.update.mutate(whole, options),
    { entity: 'issue', id: issue.id, base: issue, patch },
  );
}

async function comment(window: ChaosWindow, scene: Scene, dice: Random): Promise<void> {
  const issue = window.someIssue(dice.pick);
  if (issue === undefined) return;
  const id = uuidv7();
  const input = { id, issueId: issue.id, body: `Seen again, ${id.slice(-6)}` };
  await write(window, scene, { kind: 'comment', id }, input, (whole, options) =>
    window.api.issues.comment.mutate(whole, options),
  );
}

export type Write = typeof write;

/** Sends a write through the real client, and records the answer that the person gets. */
async function write<Input extends object>(
  window: ChaosWindow,
  { ledger }: Scene,
  about: Pick<Entry, 'kind' | 'id'> & { token?: string },
  input: Input,
  send: (
    input: Input & { operationId: string },
    options: { signal: AbortSignal },
  ) => Promise<{ version: number }>,
  overlay?: Parameters<ChaosWindow['live']['mutations']['run']>[0]['overlay'],
): Promise<void> {
  const entry: Entry = {
    ...about,
    token: about.token,
    operationIds: new Set(),
    told: 'nothing yet',
    version: undefined,
    code: undefined,
  };
  ledger.push(entry);
  try {
    const answer = await window.live.mutations.run<Input, { version: number }>({
      input,
      overlay,
      send(whole, options) {
        entry.operationIds.add(whole.operationId);
        return send(whole, options);
      },
    });
    entry.told = 'done';
    entry.version = answer.version;
  } catch (error) {
    entry.code = wireErrorOf(error)?.code ?? (error instanceof Error ? error.name : String(error));
    // The person signed out before the answer and got none, so there is nothing to verify.
    entry.told = error instanceof StoppedError ? 'unknown' : 'refused';
  }
}

function someFilter(window: ChaosWindow, building: Building, dice: Random): IssueFilter {
  const filters: readonly IssueFilter[] = [
    {},
    { statuses: [dice.pick(ISSUE_STATUSES)] },
    { statuses: ['open', 'in_progress'], priorities: ['high', 'critical'] },
    { buildingId: building.id },
    { buildingId: building.id, statuses: [dice.pick(ISSUE_STATUSES)] },
    { search: 'changed' },
    { search: `${building.code}-000` },
    { range: 'week' },
    ...(window.personId === undefined ? [] : [{ assignedTo: window.personId }]),
  ];
  return dice.pick(filters);
}
