import { useEffect } from 'react';
import { useOffline } from './offline-context.tsx';
import { useOfflineCopy, useSaveOfflineCopy } from './use-offline-copy.ts';

/** A kind of copies; a device stores the copies that were opened last. */
export type KeptKind = {
  /** The name of the copy that lists the keys, the last opened first. */
  index: string;
  /** The maximum number of copies of this kind. */
  max: number;
  /** Returns the name of the copy of a key; `useOfflineCopy` describes how the name must end. */
  nameOf: (key: string) => string;
};

const NONE: readonly string[] = [];

/** Stores a value as the copy of a key, and drops the copies that were opened longest ago. With undefined, nothing is stored. */
export function useKeepLatest(kind: KeptKind, key: string, value: unknown): void {
  const { copies } = useOffline();
  const index = useOfflineCopy<string[]>(kind.index);
  const keep = useSaveOfflineCopy();
  const name = kind.nameOf(key);
  const wanted = value !== undefined;

  useEffect(() => {
    if (value !== undefined) void keep(name, value);
  }, [value, name, keep]);

  const isRead = index.state !== 'reading';
  const known = index.value ?? NONE;
  useEffect(() => {
    if (!wanted || !isRead || known[0] === key) return;
    const all = [key, ...known.filter((each) => each !== key)];
    const left = all.slice(kind.max).map(kind.nameOf);
    void keep(kind.index, all.slice(0, kind.max));
    if (left.length > 0) void copies.drop((each) => left.includes(each)).catch(() => undefined);
  }, [wanted, isRead, known, key, kind, keep, copies]);
}
