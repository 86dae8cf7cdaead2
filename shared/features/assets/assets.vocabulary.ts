// Separate from the schemas, so that a screen can name a type without loading the validation library.

/** The types of assets, in alphabetical order by value and by label: sorting by one sorts by the other. */
export const ASSET_TYPES = [
  'air_conditioning',
  'asset',
  'boiler',
  'call_point',
  'calorifier',
  'cold_water_tank',
  'emergency_light',
  'fall_arrest',
  'fire_door',
  'fire_extinguisher',
  'lift',
  'lifting_equipment',
  'lightning_protection',
  'local_exhaust',
  'panel',
  'playground',
  'powered_door',
  'pressure_system',
  'refrigeration',
  'riser',
  'smoke_control',
  'sprinkler',
  'tmv',
  'water_outlet',
] as const;
export type AssetType = (typeof ASSET_TYPES)[number];
export const ASSET_TYPE_LABELS: Readonly<Record<AssetType, string>> = {
  air_conditioning: 'Air Conditioning',
  asset: 'Asset',
  boiler: 'Boiler',
  call_point: 'Call Point',
  calorifier: 'Calorifier',
  cold_water_tank: 'Cold Water Tank',
  emergency_light: 'Emergency Light',
  fall_arrest: 'Fall Arrest',
  fire_door: 'Fire Door',
  fire_extinguisher: 'Fire Extinguisher',
  lift: 'Lift',
  lifting_equipment: 'Lifting Equipment',
  lightning_protection: 'Lightning Protection',
  local_exhaust: 'Local Exhaust',
  panel: 'Panel',
  playground: 'Playground',
  powered_door: 'Powered Door',
  pressure_system: 'Pressure System',
  refrigeration: 'Refrigeration',
  riser: 'Riser',
  smoke_control: 'Smoke Control',
  sprinkler: 'Sprinkler',
  tmv: 'TMV',
  water_outlet: 'Water Outlet',
};

/** The kinds of water outlets; the kind decides the temperature limits. */
export const OUTLET_KINDS = ['cold', 'hot', 'mixed', 'calorifier_flow', 'calorifier_return'] as const;
export type OutletKind = (typeof OUTLET_KINDS)[number];
export const OUTLET_KIND_LABELS: Readonly<Record<OutletKind, string>> = {
  cold: 'Cold',
  hot: 'Hot',
  mixed: 'Mixed',
  calorifier_flow: 'Calorifier flow',
  calorifier_return: 'Calorifier return',
};
/** The kind that an unclassified outlet counts as. */
export const DEFAULT_OUTLET_KIND: OutletKind = 'cold';

/** How often an asset is visited. */
export const ASSET_FREQUENCIES = ['weekly', 'monthly', 'quarterly', 'biannual', 'annual'] as const;
export type AssetFrequency = (typeof ASSET_FREQUENCIES)[number];
export const ASSET_FREQUENCY_LABELS: Readonly<Record<AssetFrequency, string>> = {
  weekly: 'Weekly',
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  biannual: 'Every 6 months',
  annual: 'Annual',
};

/** The filter by status. Retired assets keep their history and can be restored. */
export const ASSET_STATUSES = ['active', 'retired', 'all'] as const;
export type AssetStatus = (typeof ASSET_STATUSES)[number];
export const ASSET_STATUS_LABELS: Readonly<Record<AssetStatus, string>> = {
  active: 'In use',
  retired: 'Retired',
  all: 'All',
};

export const ASSET_SORTS = ['name', 'type', 'building', 'lastVisit'] as const;
export type AssetSort = (typeof ASSET_SORTS)[number];
export const SORT_DIRECTIONS = ['asc', 'desc'] as const;

export const ASSET_DEFAULTS = {
  type: 'asset',
  quantity: 1,
  frequency: 'annual',
  roomName: 'General',
} as const;

/** The maximum length of a search text. */
export const ASSET_SEARCH_MAX = 100;
/** The most assets of one selection, and of one print of labels (five sheets of 21). */
export const ASSET_SELECTION_MAX = 105;
