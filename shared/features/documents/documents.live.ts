import { liveEntityInBuilding } from '../../live-entity.ts';
import { documentSchema } from './documents.ts';

export const liveEntities = { document: liveEntityInBuilding(documentSchema, 'view_logbook') };
