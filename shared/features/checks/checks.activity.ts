import { type ActivityWords, textIn, wordsAbout } from '../../activity-words.ts';
import { formatDay } from '../../dates.ts';
import type { liveEntities } from './checks.live.ts';
import { HELD_STATE_LABELS } from './held.vocabulary.ts';
import { IMPORT_STATE_LABELS } from './imported.vocabulary.ts';
import { LOG_KINDS, titleOf } from './incidents.vocabulary.ts';

const CHECK_VISIT = { one: 'safety check', many: 'safety checks' };

export const activity = {
  entities: {
    checkVisit: CHECK_VISIT,
    missedPeriod: { one: 'reason for a missed check', many: 'reasons for missed checks' },
    testPoint: { one: 'test point', many: 'test points' },
    heldCheck: { one: 'held record', many: 'held records' },
    // Shown in the line of the check.
    importedCheck: null,
    // Shown in the line of the issue.
    raisedIssue: null,
  },
  commands: {
    ...wordsAbout(['checkVisit', 'missedPeriod', 'testPoint'], {
      'checks.record': 'recorded',
      'checks.amend': 'corrected',
      'checks.explainMissed': 'explained a missed',
      'checks.addTestPoint': 'added test point',
      'checks.decideHeld': 'accepted',
    }),
    ...wordsAbout(['building'], { 'checks.setSchedule': 'changed the check schedule of' }),
    // Depends on the answer: see `action`.
    'checks.answerImported': null,
  },
  action({ command, entity, op, changes }) {
    if (command === 'checks.answerImported') {
      return changes?.['imported']?.[1] === 'disputed' ? 'disputed the imported' : 'confirmed the imported';
    }
    if (op !== 'put') return undefined;
    if (entity === 'heldCheck') return changes === null ? 'sent a record that is held' : 'decided on';
    // A failure that is recorded late also links an earlier pass in the log. The earlier visit is then changed, not recorded.
    const records = command === 'checks.record' || command === 'checks.decideHeld';
    return entity === 'checkVisit' && changes !== null && records ? `changed ${CHECK_VISIT.one}` : undefined;
  },
  subject(entity, row) {
    const kind = LOG_KINDS.find((each) => each === textIn(row, 'kind'));
    return kind !== undefined && entity !== 'testPoint' ? ofCheck(titleOf(kind), row) : undefined;
  },
  fields: { schedule: 'Check schedule', imported: 'Imported record' },
  values: { state: HELD_STATE_LABELS, imported: IMPORT_STATE_LABELS },
} satisfies ActivityWords<typeof liveEntities>;

/** "Fire alarm test #12"; a record without a number is named by its day. */
function ofCheck(title: string, row: object): string {
  const number: unknown = Reflect.get(row, 'logNumber');
  if (typeof number === 'number') return `${title} #${number}`;
  const day: unknown = Reflect.get(row, 'visitDate') ?? Reflect.get(row, 'start');
  return typeof day === 'string' ? `${title}, ${formatDay(day)}` : title;
}
