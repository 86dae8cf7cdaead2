import { formatNumber } from '../../format-number.ts';
import { deviceWord } from '../../offline/this-device.ts';

/** Sentences of the record forms; in a file of their own because every first screen loads `messages.ts`. */
export const formMessages = {
  tasksSubtitle: 'Safety checks at your sites: what is due, and when each was last done',
  viewOnly:
    'You have view-only access to operative tasks. Contact your administrator to request permission to create operative task entries.',
  selectSite: 'Select a site',
  groups: { round: "Today's round", due: 'Due', others: 'Other sites' },
  /** "Harbour House", "Harbour House and 2 more". */
  andMore: (first: string, others: number) => (others === 0 ? first : `${first} and ${others} more`),
  dueAt: (sites: string) => `Due: ${sites}`,
  overdueAt: (sites: string) => `Overdue: ${sites}`,
  /** "1 overdue, 2 due by Thu 3 Dec". */
  sitesDue(overdue: number, all: number, day: string): string {
    const late = overdue > 0 && `${formatNumber(overdue)} overdue`;
    const inTime = all > overdue && `${formatNumber(all - overdue)} due by ${day}`;
    return [late, inTime].filter((part) => part !== false).join(', ');
  },
  allSites: (count: number) => `All ${formatNumber(count)} sites`,
  allDone: (period: 'week' | 'month') => `All done this ${period}`,
  dueBy: (day: string) => `Due by ${day}`,
  due: 'Due',
  overdue: 'Overdue',
  doneOn: (day: string) => `Done ${day}`,
  /** The heading of the rows that are already done in a partly done check. */
  doneAlready: (period: 'week' | 'month') => `Done already this ${period}`,
  /** "3 of 4 outlets". */
  partlyDone: (done: number, of: number, subjects: string) => `${done} of ${of} ${subjects}`,
  /** Shown when another person has just recorded the check that is being filled in. */
  doneMeanwhile: (name: string, site: string) =>
    `${name === '' ? 'Someone' : name} has just recorded this check at ${site}.`,
  doneMeanwhileBy: (name: string) => `Just recorded by ${name === '' ? 'someone else' : name}`,
  dueNow: 'Due now',
  nothingDue: 'All your checks are done',
  nextDue: 'Next due by',
  overdueSince: 'Overdue since',
  nextSite: (site: string) => `Next: ${site}`,
  toSend: (n: number) => `${n} to send`,
  needAttention: (n: number) => (n === 1 ? '1 needs attention' : `${n} need attention`),
  noSites: 'No buildings available. Please contact your administrator.',
  noSiteMatches: 'No sites match your search.',
  timerOver: (minutes: number) => (minutes === 1 ? 'One minute is over' : `${minutes} minutes are over`),
  expired:
    'Your session on this device has expired. You can still record checks: they are saved here and sent after you sign in.',
  get noSignal() {
    return `No signal — saved on this ${deviceWord()}`;
  },
  get noSignalNothing() {
    return `No signal — checks are saved on this ${deviceWord()}`;
  },
  waiting: (n: number) => `${n} waiting`,
  siteChanged: (site: string) => `Site changed to ${site}`,
  draftKept: (when: string) => `Draft saved on this ${deviceWord()} ${when}`,
  get draftSaving() {
    return `Saving on this ${deviceWord()}…`;
  },
  get draftFailed() {
    return `This ${deviceWord()} can't save the draft. Submit it before you leave this page.`;
  },
  draftBack: (when: string) => `Your draft from ${when} is back.`,
  draftDiscarded: 'Draft discarded',
  draftOld: (when: string) => `You started this on ${when}. When did you take these readings?`,
  draftOldFirst: 'Please say when you took these readings.',
  missing: (n: number, subject: string) =>
    `${n} ${subject} ${n === 1 ? 'has' : 'have'} no result. Save anyway?`,
  leftOut: (n: number) => `${n === 1 ? 'It is' : 'They are'} left out of this record.`,
  notAttempted: (n: number) => `${n === 1 ? 'It is' : 'They are'} recorded as not attempted.`,
  willRaise: 'Saving this will raise a building issue.',
  noneRecorded: (subject: string) => `Please record at least one ${subject}.`,
  noneHere: (subject: string) => `No ${subject} at this site.`,
  notRegistered: 'No longer registered here',
  reasonNotTested: 'Please say why it was not tested.',
  get savedOnPhone() {
    return `Saved on this ${deviceWord()}`;
  },
  savedOnPhoneText: 'It will be sent as soon as the server can be reached. Nothing is lost.',
  get notKept() {
    return `This ${deviceWord()} couldn't save the check. Nothing is lost: it is still in the form.`;
  },
  get storageFull() {
    return `This ${deviceWord()} is full. Nothing is lost: it is still in the form. Free some space and try again.`;
  },
  photosReceived: (n: number) => (n === 1 ? '1 photo received' : `${n} photos received`),
  photosLeft: (done: number, of: number) => `${done} of ${of} ${of === 1 ? 'photo' : 'photos'} received`,
  photosWith: (n: number) => (n === 1 ? 'With 1 photo' : `With ${n} photos`),
  photosFollow: 'Record received, photos to follow',
  photosStuck: 'Record received, photos need attention',
  get photosStuckText() {
    return `Not all photos could be sent. They are still on this ${deviceWord()}.`;
  },
  raised: (reference: string) => `Issue ${reference} was raised`,
  joined: (reference: string) => `Added to issue ${reference}, which is already open`,
  /** For several records together, including those that were added to an open issue. */
  raisedTogether: (references: readonly string[]) =>
    references.length === 1 ? `Issue ${references[0]}` : `Issues ${references.join(', ')}`,
  heldTitle: "Received, held for an administrator's decision",
  held: 'You no longer have access to this site, or permission to record checks. An administrator decides whether this record goes into the log. It is not lost.',
  late: 'Recorded as a late entry',
  get notYetHere() {
    return `This ${deviceWord()} has not fetched its sites yet. Connect once, and they stay here.`;
  },
  fetching: 'Fetching…',
  get moreSites() {
    return `You have more sites than these. Open one while online and it stays on this ${deviceWord()}.`;
  },
  readyOffline: 'Ready for offline',
  gettingReady: (percent: number) => `Getting ready for offline… ${percent}%`,
  notReadyOffline:
    'Not ready for offline yet. Keep this page open: it will continue when there is a connection.',
  offlineInsecure: 'Not available offline: this address does not use https.',
  offlineRefused:
    'Not available offline on this browser: it does not let this site store files. Private windows and blocked site data cause this.',
  get offlineFull() {
    return `Not available offline: this ${deviceWord()} is full. Free some space and try again.`;
  },
  repeated: (when: string) =>
    `This point was tested last time (${when}). Test a different one each week to cover them all.`,
  cycle: (points: number) => `${points} points: a full cycle every ${points} weeks`,
  get nothingWaits() {
    return `Nothing here is waiting on this ${deviceWord()}`;
  },
  get waitingHere() {
    return `Waiting on this ${deviceWord()}`;
  },
  get onDevice() {
    return `On this ${deviceWord()}`;
  },
  inTheLog: 'Records that have been received are in the log book.',
  raisedNone:
    'A failed check raises a building issue automatically. Its reference and any replies appear here.',
  raisedFailed: 'Failed to load issues raised by your checks',
  loadFailed: 'Failed to load the checks',
} as const;
