import { Check, CircleAlert, CloudOff, CloudUpload, Hourglass, LoaderCircle } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { assertNever } from '#shared/assert-never.ts';
import { formatTime } from '#shared/dates.ts';
import { isRetryable } from '#shared/errors.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { checks, type VisitReceipt } from '#shared/features/checks/index.ts';
import type { DueSite } from '#shared/features/checks/procedure-answers.ts';
import { correctionPathOf } from '../../../../offline/correction-path.ts';
import { receivedAtOf } from '../../../../offline/labels.ts';
import { useSendQueue } from '../../../../offline/queue/use-send-queue.ts';
import type { QueuedCommand } from '../../../../offline/types.ts';
import { Button } from '../../../../ui/buttons/button.tsx';
import { ButtonLink } from '../../../../ui/buttons/button-link.tsx';
import { Unbroken } from '../../../../ui/unbroken.tsx';
import { aboutRecord, nextDueOf } from '../about-record.ts';
import { FormFrame } from '../form-frame.tsx';
import { OfflineStrip } from '../offline-strip.tsx';
import { saveFailureOf } from '../save-failure.ts';
import { photosStateOf, ReceiptPhotos } from './receipt-photos.tsx';

type Props = {
  kind: LogKind;
  /** Id of the queued command. */
  id: string;
  title: string;
  subtitle: string;
  /** The next site where the same check is due. */
  next: DueSite | undefined;
  /** Opens the form at the given site, or at the same one again. */
  onNext: (siteId?: string) => void;
};

const MAIN =
  'flex h-[54px] min-w-0 items-center justify-center rounded-[13px] bg-brand px-4 font-semibold text-[17px] text-on-brand hover:bg-brand-strong';

/** State of a submitted check: saved on this device, sending, received with its log number, or refused. */
export function Receipt({ kind, id, title, subtitle, onNext, ...props }: Props) {
  // Fixed at first render, so that other people's records do not change the button under the thumb.
  const [next] = useState(props.next);
  const { items, status } = useSendQueue();
  const item = items.find((one) => one.id === id);
  return (
    <FormFrame
      title={title}
      subtitle={subtitle}
      strip={<OfflineStrip />}
      foot={
        <div className="grid gap-2">
          {next === undefined ? (
            <button type="button" onClick={() => onNext()} className={MAIN}>
              Record another
            </button>
          ) : (
            <button type="button" onClick={() => onNext(next.id)} className={MAIN}>
              <span className="truncate">{formMessages.nextSite(next.name)}</span>
            </button>
          )}
          <div className={next === undefined ? undefined : 'grid grid-cols-2 gap-2'}>
            {next !== undefined && (
              <Button size="lg" onClick={() => onNext()}>
                Record another
              </Button>
            )}
            <ButtonLink to="/operative-tasks" size="lg" className="w-full">
              Done
            </ButtonLink>
          </div>
        </div>
      }
    >
      {item !== undefined ? <State kind={kind} item={item} /> : status.ready ? <Gone /> : null}
    </FormFrame>
  );
}

function State({ kind, item }: { kind: LogKind; item: QueuedCommand }) {
  const about = aboutRecord(kind, item);
  const { retry } = useSendQueue();
  const { saved } = checks[kind].messages;
  const editPath = correctionPathOf(item, item.form?.path);
  switch (item.state) {
    case 'saved':
      return (
        <Panel
          about={about}
          tone="due"
          icon={<CloudOff size={30} aria-hidden />}
          title={formMessages.savedOnPhone}
          text={formMessages.savedOnPhoneText}
        >
          <ReceiptPhotos item={item} />
        </Panel>
      );
    case 'sending':
      return (
        <Panel
          about={about}
          tone="info"
          icon={<LoaderCircle size={30} aria-hidden className="motion-safe:animate-spin" />}
          title="Sending"
          text={formMessages.savedOnPhoneText}
        >
          <ReceiptPhotos item={item} />
        </Panel>
      );
    case 'received': {
      // The cast is safe: the receipt is the server's answer to this command.
      const receipt = item.receipt as VisitReceipt | null;
      if (receipt?.held === true) {
        return (
          <Panel
            about={about}
            tone="due"
            icon={<Hourglass size={30} aria-hidden />}
            title={formMessages.heldTitle}
            text={formMessages.held}
          >
            <ReceiptPhotos item={item} />
          </Panel>
        );
      }
      return (
        <Panel about={about} {...receivedLook(item)} text={saved}>
          <ReceiptPhotos item={item} />
          <Details receipt={receipt} />
        </Panel>
      );
    }
    case 'attention':
      return (
        <Panel
          about={about}
          tone="bad"
          icon={<CircleAlert size={30} aria-hidden />}
          title="Needs attention"
          text={saveFailureOf(kind, item.lastError)}
        >
          <div className="mt-5 grid w-full gap-2">
            {editPath !== undefined && (
              <ButtonLink to={editPath} size="lg">
                Correct it
              </ButtonLink>
            )}
            {isRetryable(item.lastError?.code) && (
              <Button size="lg" onClick={() => void retry(item.id)}>
                Try again
              </Button>
            )}
            <ButtonLink to="/sync" size="lg">
              {formMessages.waitingHere}
            </ButtonLink>
          </div>
        </Panel>
      );
    default:
      return assertNever(item.state);
  }
}

/** A record counts as complete only once its photos are received. */
function receivedLook(item: QueuedCommand): Pick<PanelProps, 'tone' | 'icon' | 'title'> {
  const photos = photosStateOf(item.attachments);
  switch (photos) {
    case 'done':
      return {
        tone: 'ok',
        icon: <Check size={30} aria-hidden />,
        title: `Received ${formatTime(receivedAtOf(item))}`,
      };
    case 'following':
      return { tone: 'info', icon: <CloudUpload size={30} aria-hidden />, title: formMessages.photosFollow };
    case 'stuck':
      return { tone: 'bad', icon: <CircleAlert size={30} aria-hidden />, title: formMessages.photosStuck };
    default:
      return assertNever(photos);
  }
}

/** Shown for a record received longer ago than the device keeps receipts. */
function Gone() {
  return (
    <Panel
      tone="ok"
      icon={<Check size={30} aria-hidden />}
      title={formMessages.nothingWaits}
      text={formMessages.inTheLog}
    />
  );
}

function Details({ receipt }: { receipt: VisitReceipt | null }) {
  if (receipt === null) return null;
  // The answer of an older version has no next due date.
  const { logNumber, raised, late, nextDue = null } = receipt as Partial<VisitReceipt> & typeof receipt;
  const next = nextDue === null ? undefined : nextDueOf(nextDue);
  return (
    <div className="mt-5 grid w-full gap-2.5 text-left">
      <dl className="divide-y divide-line rounded-panel border border-line bg-surface px-4">
        {logNumber !== null && <Row name="Log number" value={logNumber} />}
        {next !== undefined && <Row name={next.words} value={next.day} />}
      </dl>
      {raised.map(({ entryId, referenceNumber, joined }) => (
        <p
          key={entryId}
          className="flex items-start gap-2.5 rounded-panel bg-bad-soft px-4 py-3 font-medium text-bad text-md"
        >
          <CircleAlert size={18} className="mt-0.5" aria-hidden />
          {joined ? formMessages.joined(referenceNumber) : formMessages.raised(referenceNumber)}
        </p>
      ))}
      {late && <Remark>{formMessages.late}</Remark>}
    </div>
  );
}

function Row({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-3 py-3">
      <dt className="text-ink-2">{name}</dt>
      <dd className="font-semibold text-xl tabular-nums">{value}</dd>
    </div>
  );
}

function Remark({ children }: { children: ReactNode }) {
  return <p className="rounded-panel bg-due-soft px-4 py-3 text-due">{children}</p>;
}

const TONES = {
  ok: 'bg-ok-soft text-ok',
  due: 'bg-due-soft text-due',
  info: 'bg-info-soft text-info',
  bad: 'bg-bad-soft text-bad',
} as const;

type PanelProps = {
  tone: keyof typeof TONES;
  icon: ReactNode;
  title: string;
  text: string;
  /** The recorded check: its kind, test location, site and day. */
  about?: string;
  children?: ReactNode;
};

function Panel({ tone, icon, title, text, about, children }: PanelProps) {
  return (
    <section
      role={tone === 'bad' ? 'alert' : 'status'}
      className="mx-auto grid max-w-md justify-items-center gap-1 pt-10 text-center"
    >
      <span className={`mb-3 grid size-16 place-items-center rounded-full ${TONES[tone]}`}>{icon}</span>
      <h2 className="font-semibold text-xl tabular-nums">{title}</h2>
      {about !== undefined && (
        <p className="text-balance font-medium text-ink text-md [overflow-wrap:anywhere]">
          <Unbroken text={about} />
        </p>
      )}
      <p className="text-ink-2 text-md">{text}</p>
      {children}
    </section>
  );
}
