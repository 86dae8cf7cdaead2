import { liveEntityInBuilding } from '../../live-entity.ts';
import { taskSchema } from './tasks.ts';

export const liveEntities = { task: liveEntityInBuilding(taskSchema, 'view_tasks') };
