import { verifyChain } from '#server/live/chain.ts';
import type { Opened } from './installation.ts';

/** Verifies the whole event log, and prints the result. */
export async function verify({ sql }: Opened): Promise<boolean> {
  const { events, streams, erased, problems } = await verifyChain(sql);
  console.log(`${events} events in ${streams} streams${erased === 0 ? '' : `, ${erased} erased by law`}.`);
  for (const { g, problem } of problems) console.log(`  event ${g}: ${problem}`);
  console.log(
    problems.length === 0
      ? 'Nothing was changed, removed, put in or moved. (A tail that was cut shows only beside a hash kept elsewhere.)'
      : 'The record is not as it was written.',
  );
  return problems.length === 0;
}
