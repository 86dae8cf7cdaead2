// Loaded into a server before it starts: measures the longest time for which one piece of work blocked the event loop. A
// timer notes each turn of the loop; the time between two turns, less the timer's own millisecond, was taken by one piece
// of work. Garbage collection, and time in which the process was ready but the machine ran another process, are reported
// separately.
import { closeSync, openSync, readSync } from 'node:fs';
import { Session } from 'node:inspector';
import { PerformanceObserver } from 'node:perf_hooks';

const EVERY_MS = 1;
/** Shorter stretches are of no interest. */
const FROM_MS = 4;

let stretches = [];
let collections = [];
let last = performance.now();
let lastDelay = 0;
let profiler;

new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    collections.push([startTime, startTime + duration]);
}).observe({ entryTypes: ['gc'] });

/** Milliseconds that the main thread has waited for a processor so far; 0 where the system does not report them. */
const waited = (() => {
  let file;
  try {
    file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  } catch {
    return () => 0;
  }
  process.once('exit', () => closeSync(file));
  const text = Buffer.alloc(64);
  return () => Number(text.toString('latin1', 0, readSync(file, text, 0, 64, 0)).split(' ')[1]) / 1e6;
})();

setInterval(() => {
  const now = performance.now();
  const delay = waited();
  const took = now - last - EVERY_MS;
  if (took > FROM_MS) stretches.push({ from: last, to: now, waited: delay - lastDelay });
  last = now;
  lastDelay = delay;
}, EVERY_MS).unref();

function overlap([from, to], stretch) {
  return Math.max(0, Math.min(to, stretch.to) - Math.max(from, stretch.from));
}

const answers = {
  /** Forgets all earlier stretches. */
  async begin() {
    stretches = [];
    collections = [];
    return {};
  },
  /** The longest stretch since `begin` in milliseconds, and separately the garbage collection and waiting during it. */
  async end() {
    // The observer is notified of a garbage collection with a delay.
    await new Promise((resolve) => setTimeout(resolve, 5));
    let longest = { ms: 0, collected: 0, waited: 0 };
    for (const stretch of stretches) {
      const collected = collections.reduce((sum, each) => sum + overlap(each, stretch), 0);
      const ms = stretch.to - stretch.from - EVERY_MS - collected - stretch.waited;
      if (ms > longest.ms) longest = { ms, collected, waited: stretch.waited };
    }
    return longest;
  },
  /** Begins a profile of the processor. */
  async profile() {
    profiler ??= new Session();
    profiler.connect();
    await post('Profiler.enable');
    await post('Profiler.setSamplingInterval', { interval: 200 });
    await post('Profiler.start');
    return {};
  },
  /** Ends the profile and returns it. */
  async profiled() {
    const { profile } = await post('Profiler.stop');
    profiler.disconnect();
    return profile;
  },
};

function post(method, params) {
  return new Promise((resolve, reject) => {
    profiler.post(method, params, (error, result) => (error === null ? resolve(result) : reject(error)));
  });
}

process.on('message', (message) => {
  const answer = answers[message];
  if (answer !== undefined) void answer().then((result) => process.send(result));
});
// The channel must not keep the server's process alive.
process.channel?.unref();
