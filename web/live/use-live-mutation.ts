import { useCallback, useState } from 'react';
import { messages } from '#shared/messages.ts';
import { toast } from '../ui/toast.ts';
import { useLive } from './live-context.tsx';
import type { LiveWrite } from './types.ts';

/**
 * Sends a write. It shows at once, goes back if it is refused (the promise rejects with the server's error), and is
 * sent again with the same operation id until it is known whether it arrived; a toast says so meanwhile.
 */
export function useLiveMutation(): {
  mutate: <Input extends object, Answer extends { version: number }>(
    write: LiveWrite<Input, Answer>,
  ) => Promise<Answer>;
  isPending: boolean;
} {
  const { mutations } = useLive();
  const [running, setRunning] = useState(0);
  const mutate = useCallback(
    async <Input extends object, Answer extends { version: number }>(write: LiveWrite<Input, Answer>) => {
      setRunning((n) => n + 1);
      try {
        return await mutations.run({ ...write, onUncertain: sayUncertain });
      } finally {
        setRunning((n) => n - 1);
      }
    },
    [mutations],
  );
  return { mutate, isPending: running > 0 };
}

function sayUncertain(): void {
  toast({ title: messages.common.uncertain });
}
