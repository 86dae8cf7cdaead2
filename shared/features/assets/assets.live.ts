import { liveEntityInBuilding } from '../../live-entity.ts';
import { assetSchema } from './assets.ts';

export const liveEntities = { asset: liveEntityInBuilding(assetSchema, 'view_assets') };
