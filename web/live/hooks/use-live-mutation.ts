import { useCallback, useState } from 'react';
import { messages } from '#shared/messages.ts';
import { toast } from '../../ui/feedback/toast.ts';
import { useLive } from '../live-context.tsx';
import type { KeepLater, LiveWrite } from '../types.ts';

type Write = <Input extends object, Answer extends { version: number }>(
  write: LiveWrite<Input, Answer>,
) => Promise<Answer>;
type WriteOrKeep = <Input extends object, Answer extends { version: number }>(
  write: LiveWrite<Input, Answer>,
  later: KeepLater,
) => Promise<Answer | 'kept'>;

/**
 * Sends writes. A write is shown at once, is undone if it is refused (the promise rejects with the server's error), and
 * is sent again with the same operation id until it is known whether it arrived; in the meantime a toast reports that the
 * outcome is uncertain. `mutateOrKeep` instead stores a write on this device if it gets no answer
 * (`Mutations.runOrKeep`).
 */
export function useLiveMutation(): { mutate: Write; mutateOrKeep: WriteOrKeep; isPending: boolean } {
  const { mutations } = useLive();
  const [running, setRunning] = useState(0);
  const count = useCallback(async <T>(work: Promise<T>): Promise<T> => {
    setRunning((n) => n + 1);
    try {
      return await work;
    } finally {
      setRunning((n) => n - 1);
    }
  }, []);
  const mutate: Write = useCallback(
    (write) => count(mutations.run({ ...write, onUncertain: sayUncertain })),
    [mutations, count],
  );
  const mutateOrKeep: WriteOrKeep = useCallback(
    (write, later) => count(mutations.runOrKeep({ ...write, onUncertain: sayUncertain }, later)),
    [mutations, count],
  );
  return { mutate, mutateOrKeep, isPending: running > 0 };
}

function sayUncertain(): void {
  toast({ title: messages.common.uncertain, tone: 'info' });
}
