/** Runs something soon, once; the answer takes it back. */
export type Schedule = (run: () => void) => () => void;

/**
 * Once per animation frame, four times a second where no frames are drawn (rule J6). Both are armed, since a tab
 * that is hidden after the frame was asked for gets none.
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

/** For Node: after `ms`. */
export function after(ms: number): Schedule {
  return (run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  };
}
