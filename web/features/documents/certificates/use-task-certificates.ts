import { useMemo } from 'react';
import type { Document } from '#shared/features/documents/documents.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { type LiveResult, useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { taskCertificates } from '../data/documents.live.ts';

const NONE: readonly Document[] = [];

/** The live certificates of a task's completions; empty for a person who may not see documents. */
export function useTaskCertificates(
  taskId: string,
): Omit<LiveResult<Document[]>, 'data'> & { certificates: readonly Document[] } {
  const enabled = usePermissions().can('view_logbook');
  const { data, ...result } = useLiveQuery(
    taskCertificates,
    useMemo(() => ({ taskId }), [taskId]),
    { enabled },
  );
  return { ...result, certificates: data ?? NONE };
}
