import { type Figure, median, percentile, round } from '../figure.ts';
import type { Setting } from '../setting.ts';

/**
 * Makes a call many times, one after the other, from this process.
 * @param call.ask makes the nth call; different people can call in turn
 * @param call.calls number of calls of each round; a warm-up of a fifth as many comes first
 * @returns the figure: the 95th percentile of the time of a call, in ms
 */
export async function timeCalls(
  setting: Setting,
  call: {
    name: string;
    atMost: number;
    reference: string;
    calls: number;
    ask: (n: number) => Promise<unknown>;
  },
): Promise<Figure> {
  const { name, atMost, reference, calls, ask } = call;
  for (let n = 0; n < calls / 5; n += 1) await ask(n);
  const rounds: number[][] = [];
  for (let run = 0; run < setting.rounds; run += 1) {
    const took: number[] = [];
    for (let n = 0; n < calls; n += 1) {
      const start = performance.now();
      await ask(n);
      took.push(performance.now() - start);
    }
    rounds.push(took);
  }
  // The median of the rounds, because other work of the machine disturbs some of them.
  const value = median(rounds.map((took) => percentile(took, 0.95)));
  setting.log(`${name}: p95 ${round(value)} ms`);
  return {
    name,
    measured: `p50 ${round(median(rounds.flat()))} ms, p95 ${round(value)} ms of ${rounds.length} × ${calls}, from outside`,
    reference,
    value,
    unit: 'ms p95',
    goal: { atMost },
  };
}

/** Calls a query over HTTP. @returns the answer as text @throws Error with a refusal */
export async function query(
  url: string,
  headers: Record<string, string>,
  procedure: string,
  input?: object,
): Promise<string> {
  const given = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const answer = await fetch(`${url}/trpc/${procedure}${given}`, { headers });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${procedure} answered ${answer.status}: ${text.slice(0, 200)}`);
  return text;
}
