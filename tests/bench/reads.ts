import type { Sql } from 'postgres';
import { connect } from '#db/client.ts';
import { rightsOf } from '#server/access/actor.ts';
import { appRouter } from '#server/boot/router.ts';
import type { Services } from '#server/kernel/context.ts';
import type { Role } from '#shared/permissions.ts';
import { type Figure, median, percentile, round } from './figure.ts';
import type { Setting } from './setting.ts';

/** A query as the browser sends it. */
export type Read = { name: string; procedure: string; input: unknown };
type Asked = { ownerUrl: string; url: string; person: { id: string; cookie: string; role: Role } };

const CALLS = 40;
const EXPLAINED = 20;
const MOST_MS = 50;
const WARM_CALLS = 5;

/** Measures how long each read takes over HTTP when warm, and how much of that time the database reports as its own. */
export async function measureReads(
  setting: Setting,
  asked: Asked,
  reads: readonly Read[],
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const explain = explainer(asked);
  setting.after(explain.end);
  for (const { name, procedure, input } of reads) {
    for (let call = 0; call < WARM_CALLS; call += 1) await ask(asked, procedure, input);
    const p95s: number[] = [];
    const p50s: number[] = [];
    for (let r = 0; r < setting.rounds; r += 1) {
      const taken: number[] = [];
      for (let call = 0; call < CALLS; call += 1) {
        const start = performance.now();
        await ask(asked, procedure, input);
        taken.push(performance.now() - start);
      }
      p95s.push(percentile(taken, 0.95));
      p50s.push(median(taken));
    }
    const inDatabase = await explain.p95(procedure, input);
    setting.log(`${name}: p95 ${round(median(p95s))} ms, explain ${round(inDatabase)} ms`);
    figures.push({
      name,
      measured: `p95 ${round(median(p95s))} ms, p50 ${round(median(p50s))} ms`,
      reference: `p95 ${round(inDatabase)} ms by explain analyze`,
      value: median(p95s),
      unit: 'ms',
      goal: { atMost: MOST_MS },
    });
  }
  return figures;
}

async function ask({ url, person }: Asked, procedure: string, input: unknown): Promise<void> {
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const answer = await fetch(`${url}/trpc/${procedure}${query}`, { headers: { cookie: person.cookie } });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${procedure} answered ${answer.status}: ${body.slice(0, 200)}`);
}

/** Runs the statements of a read through EXPLAIN ANALYZE, and sums their planning and execution times. */
function explainer({ ownerUrl, person }: Asked) {
  const { db, sql, close } = connect(ownerUrl, { max: 2, statementTimeoutMs: 0 });
  const { unsafe } = sql;
  let heard: { query: string; params: never[] }[] = [];
  /** Records every statement of the query builder: all of them pass `unsafe`, of the pool or of a transaction. */
  const hear = (client: Pick<Sql, 'unsafe'>) => {
    const send = client.unsafe;
    client.unsafe = (query, params = [], options) => {
      // The cast: the driver accepts the same parameters again.
      heard.push({ query, params: params as never[] });
      return send(query, params, options);
    };
  };
  hear(sql);
  sql.begin = new Proxy(sql.begin, {
    apply(begin, self, given) {
      const work: unknown = given.at(-1);
      if (typeof work !== 'function') throw new Error('a transaction without work');
      const heardWork = (tx: Sql, ...rest: unknown[]): unknown => {
        hear(tx);
        return work(tx, ...rest);
      };
      return Reflect.apply(begin, self, [...given.slice(0, -1), heardWork]);
    },
  });
  const caller = appRouter.createCaller({
    // The cast: a read uses nothing else of the services.
    services: { db, clock: { now: () => new Date() } } as unknown as Services,
    actor: {
      userId: person.id,
      email: 'bench@example.com',
      firstName: 'Pat',
      lastName: 'Bench',
      ...rightsOf(person.id, person.role),
      accessVersion: 1,
      sessionId: '',
      sessionExpiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    },
    requestId: 'bench',
    address: '127.0.0.1',
    userAgent: 'bench',
    setCookie: () => undefined,
  });

  async function once(): Promise<number> {
    let ms = 0;
    for (const { query, params } of heard) {
      if (!/^\s*(select|with|\()/i.test(query)) continue;
      const lines = await unsafe(`explain (analyze, timing off) ${query}`, params);
      for (const line of lines) {
        ms += Number(/^(?:Planning|Execution) Time: ([\d.]+) ms/.exec(String(line['QUERY PLAN']))?.[1] ?? 0);
      }
    }
    return ms;
  }

  return {
    end: close,
    async p95(procedure: string, input: unknown): Promise<number> {
      heard = [];
      const [feature = '', name = ''] = procedure.split('.');
      // The cast: the compiler cannot resolve a procedure from its path as text.
      const routers = caller as unknown as Record<
        string,
        Record<string, (input: unknown) => Promise<unknown>>
      >;
      await routers[feature]?.[name]?.(input);
      const taken: number[] = [];
      for (let n = 0; n < EXPLAINED; n += 1) taken.push(await once());
      return percentile(taken, 0.95);
    },
  };
}
