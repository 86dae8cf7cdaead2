/** Schedules a callback to run once, soon; returns a function that cancels it. */
export type Schedule = (run: () => void) => () => void;

/**
 * Runs at the next animation frame, or after 250 ms if none is drawn (rule J6). Both are scheduled, because a tab that
 * is hidden in between gets no frame.
 */
export const onNextFrame: Schedule = (run) => {
  const cancel = () => {
    if (typeof cancelAnimationFrame === 'function') cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const once = () => {
    cancel();
    run();
  };
  const frame = typeof requestAnimationFrame === 'function' ? requestAnimationFrame(once) : 0;
  const timer = setTimeout(once, 250);
  return cancel;
};

/** For Node: runs after `ms`. */
export function after(ms: number): Schedule {
  return (run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  };
}
