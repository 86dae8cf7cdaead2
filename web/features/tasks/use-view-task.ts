import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskPath } from './task-paths.ts';

/** Returns a function that opens a task on the compliance page. */
export function useViewTask(): (task: Pick<Task, 'id' | 'buildingId'>) => void {
  const navigate = useNavigate();
  return useCallback((task) => void navigate(taskPath(task)), [navigate]);
}
