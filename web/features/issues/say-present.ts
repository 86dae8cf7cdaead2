import { partingApi } from '../../lib/parting-api.ts';
import { useSayPresent } from '../../live/use-say-present.ts';

/** Tells the others that this window has the issue open, for as long as this is on screen. */
export function SayPresent({ id }: { id: string }) {
  useSayPresent('issue', id, sayPresent);
  return null;
}

function sayPresent(input: { id: string; window: string; here: boolean }): Promise<unknown> {
  return partingApi.issues.present.mutate(input);
}
