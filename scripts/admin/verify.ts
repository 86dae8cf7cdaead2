import { verifyChain } from '#server/live/chain.ts';
import type { Opened } from './installation.ts';

/** Verifies the whole event log, and prints the result. */
export async function verify({ sql }: Opened): Promise<boolean> {
  const { events, streams, erased, problems } = await verifyChain(sql);
  console.log(`${events} events in ${streams} streams${erased === 0 ? '' : `, ${erased} erased by law`}.`);
  for (const { g, problem } of problems) console.log(`  event ${g}: ${problem}`);
  console.log(
    problems.length === 0
      ? 'No event was changed, removed, inserted or moved. (A cut end shows only against a hash kept elsewhere.)'
      : 'The event log was changed after it was written.',
  );
  return problems.length === 0;
}
