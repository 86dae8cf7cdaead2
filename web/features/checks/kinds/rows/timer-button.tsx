import { Square, Timer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { useWakeLock } from '../../../../lib/use-wake-lock.ts';
import { SteadyClock } from '../../../../live/stream/steady-clock.ts';
import { cx } from '../../../../ui/cx.ts';
import { toast } from '../../../../ui/feedback/toast.ts';

type Props = {
  /** Minimum running time of the water, in minutes. */
  minutes: number;
};

const TICK_MS = 200;
const BUZZ = [300, 120, 300, 120, 300];
const clock = new SteadyClock();

/** Countdown of the running time. Keeps the screen on while it runs, and vibrates at the end. */
export function TimerButton({ minutes }: Props) {
  // Keeps the minutes of the start: the prop follows the focused row.
  const [run, setRun] = useState<{ minutes: number; endsAt: number }>();
  const [now, setNow] = useState(0);
  const running = run !== undefined;
  useWakeLock(running);

  useEffect(() => {
    if (run === undefined) return;
    const { minutes: ran, endsAt } = run;
    function tick() {
      const at = clock.now();
      setNow(at);
      // Compares with a clock instead of counting ticks, which stop while the phone sleeps.
      if (at < endsAt) return;
      setRun(undefined);
      navigator.vibrate?.(BUZZ);
      toast({ title: formMessages.timerOver(ran) });
    }
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [run]);

  const left = run === undefined ? minutes * 60 : Math.max(0, Math.ceil((run.endsAt - now) / 1000));
  return (
    <button
      type="button"
      aria-label={running ? 'Stop the timer' : `Start the ${minutes}-minute timer`}
      onClick={() => setRun(running ? undefined : { minutes, endsAt: clock.now() + minutes * 60_000 })}
      className={cx(
        'grid h-[54px] w-[76px] shrink-0 touch-manipulation place-items-center rounded-[13px] border transition-colors',
        running
          ? 'border-brand bg-brand-soft text-brand'
          : 'border-line-2 bg-surface text-ink-2 hover:text-ink',
      )}
    >
      {running ? <Square size={14} aria-hidden fill="currentColor" /> : <Timer size={20} aria-hidden />}
      <span className="font-semibold text-sm tabular-nums leading-none" aria-hidden>
        {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
      </span>
    </button>
  );
}
