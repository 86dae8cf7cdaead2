import { runSteps } from '../../run-steps.ts';
import { nameKey } from '../../text/name-keys.ts';

type Named = { id: string; name: string; code: string; clientName: string };

/**
 * The text that names each building without ambiguity in a file: its name; "Client / Building" if another building has that
 * name; "Client / Building (CODE)" if the client has two buildings of that name. The code is never used alone, because in
 * another portfolio it may belong to another building.
 */
export function referencesOf(buildings: readonly Named[]): Map<string, string> {
  return runSteps(referencesInSteps(buildings));
}

/** As `referencesOf`, but yields after each building, because thousands of buildings take tens of milliseconds. */
export function* referencesInSteps(
  buildings: readonly Named[],
): Generator<undefined, Map<string, string>, undefined> {
  const counts = new Map<string, number>();
  const count = (text: string) => counts.set(nameKey(text), (counts.get(nameKey(text)) ?? 0) + 1);
  for (const { name, clientName } of buildings) {
    count(name);
    count(`${clientName} / ${name}`);
    yield;
  }
  const references = new Map<string, string>();
  for (const { id, name, code, clientName } of buildings) {
    const full = `${clientName} / ${name}`;
    const clear = [name, full].find((text) => counts.get(nameKey(text)) === 1);
    references.set(id, clear ?? withCode(full, code));
    yield;
  }
  return references;
}

/** The name of a building with its code, as the import finds it. */
export function withCode(name: string, code: string): string {
  return `${name} (${code})`;
}
