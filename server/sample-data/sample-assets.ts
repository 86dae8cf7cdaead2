import type { AssetFrequency, AssetType, OutletKind } from '#shared/features/assets/assets.vocabulary.ts';

/** An asset of a building, with its place and last visit. */
export type SampleAsset = {
  name: string;
  description: string;
  type: AssetType;
  outletKind?: OutletKind;
  /** 0 is the ground floor; absent if the asset is on no floor. */
  level?: number;
  room: string;
  frequency: AssetFrequency;
  /** Absent: never visited. */
  visitedDaysAgo?: number;
  retired?: true;
};

type Plan = readonly [
  code: string,
  levels: readonly number[],
  rooms: readonly string[],
  /** Whether the building has a plant room with a calorifier. */
  plant: boolean,
];

const OFFICE = ['Reception', 'Corridor', 'Kitchen', 'Meeting Room'] as const;
const HOMES = ['Lobby', 'Stair A', 'Bin Store', 'Stair B'] as const;
const SCHOOL = ['Main Hall', 'Science Lab', 'Corridor', 'Staff Room'] as const;
const CARE = ['Lounge', 'Day Room', 'Corridor', 'Sluice'] as const;

/** The first building has the most assets, because it is the one whose log book is shown. */
const PLANS: readonly Plan[] = [
  ['HAR', [-1, 0, 1, 2], OFFICE, true],
  ['MIL', [0, 1, 2], OFFICE, false],
  ['QUA', [-1, 0, 3, 6], OFFICE, true],
  ['STG', [0, 2, 5], HOMES, true],
  ['CAS', [-1, 0, 4], HOMES, true],
  ['WEA', [0, 2], HOMES, false],
  ['ALB', [0, 1], OFFICE, false],
  ['EXC', [-1, 0, 2], OFFICE, true],
  ['FOU', [0], OFFICE, false],
  ['TAN', [0, 1], HOMES, false],
  ['KIN', [0, 1], SCHOOL, true],
  ['BRO', [0, 2], SCHOOL, false],
  ['PRI', [0, 1], CARE, true],
  ['LIM', [-1, 0, 1], CARE, true],
];

/** The preset test locations of the fire alarm log, as call points of their building. */
const CALL_POINTS: readonly (readonly [name: string, level: number])[] = [
  ['Front Door', 0],
  ['Ground Floor Corridor', 0],
  ['Procedures Room', 0],
  ['1st Floor Corridor', 1],
  ['2nd Floor Landing', 2],
  ['Basement', -1],
];

/** Assets by building code. */
export const SAMPLE_ASSETS: ReadonlyMap<string, readonly SampleAsset[]> = new Map(
  PLANS.map((plan, index) => [plan[0], assetsOf(plan, index)]),
);

function assetsOf([code, levels, rooms, plant]: Plan, index: number): SampleAsset[] {
  const room = (n: number) => rooms[n % rooms.length] ?? 'General';
  const ground = levels.includes(0) ? 0 : (levels[0] ?? 0);
  const lights = levels.map(
    (level, n): SampleAsset => ({
      name: `Emergency Light EL-${String(n + 1).padStart(2, '0')}`,
      description: n % 2 === 0 ? '3 h maintained bulkhead over the exit' : '3 h non-maintained exit sign',
      type: 'emergency_light',
      level,
      room: room(n + 1),
      frequency: 'monthly',
      visitedDaysAgo: 12 + index,
    }),
  );
  const points: SampleAsset[] =
    code === 'HAR'
      ? CALL_POINTS.map(([at, level], n) => ({ ...callPoint(n + 1, level, at, 7 * (n + 1)), name: at }))
      : [callPoint(1, ground, 'Main Entrance', 5 + index)];
  const outlets: SampleAsset[] = [
    outlet('Water Outlet 1', 'Kitchen sink, cold tap', 'cold', ground, 'Kitchen', index),
    outlet('Water Outlet 2', 'Kitchen sink, hot tap', 'hot', ground, 'Kitchen', index),
  ];
  const panel: SampleAsset = {
    name: 'Fire Alarm Panel',
    description: 'Addressable panel, two loops; key in the key safe',
    type: 'panel',
    level: ground,
    room: room(0),
    frequency: 'biannual',
    visitedDaysAgo: 40 + index * 3,
  };
  return [...lights, ...points, ...outlets, panel, ...(plant ? plantRoom(ground, index) : [])].concat(
    extras(code, ground),
  );
}

function callPoint(n: number, level: number, room: string, visitedDaysAgo: number): SampleAsset {
  return {
    name: `Call Point CP-${String(n).padStart(2, '0')}`,
    description: `Manual call point, ${room}`,
    type: 'call_point',
    level,
    room,
    frequency: 'weekly',
    visitedDaysAgo,
  };
}

function outlet(
  name: string,
  description: string,
  outletKind: OutletKind,
  level: number,
  room: string,
  index: number,
): SampleAsset {
  return {
    name,
    description,
    type: 'water_outlet',
    outletKind,
    level,
    room,
    frequency: 'monthly',
    visitedDaysAgo: 9 + index,
  };
}

function plantRoom(level: number, index: number): SampleAsset[] {
  return [
    {
      name: 'Calorifier 1',
      description: '300 l indirect cylinder, thermostat at 60 °C',
      type: 'calorifier',
      level,
      room: 'Plant Room',
      frequency: 'annual',
      visitedDaysAgo: 150 + index,
    },
    {
      ...outlet(
        'Water Outlet flow',
        'Flow pipe of calorifier 1',
        'calorifier_flow',
        level,
        'Plant Room',
        index,
      ),
    },
  ];
}

/** Assets that make buildings differ from each other, some from before there were types. */
function extras(code: string, level: number): SampleAsset[] {
  switch (code) {
    case 'HAR':
      return [
        {
          name: 'Water Outlet 7',
          description: 'Basin in the first aid room, taken over from the old register',
          type: 'asset',
          level,
          room: 'First Aid Room',
          frequency: 'annual',
        },
        {
          name: 'TMV 1',
          description: 'Thermostatic mixing valve of the shower',
          type: 'tmv',
          level,
          room: 'Shower Room',
          frequency: 'annual',
          visitedDaysAgo: 200,
        },
        {
          name: 'Emergency Light EL-00',
          description: 'Replaced by EL-01',
          type: 'emergency_light',
          level,
          room: 'Reception',
          frequency: 'monthly',
          visitedDaysAgo: 400,
          retired: true,
        },
      ];
    case 'PRI':
    case 'LIM':
      return [
        {
          ...outlet('Water Outlet 3', 'Assisted bath, mixed to 43 °C', 'mixed', level, 'Bathroom 1', 3),
          frequency: 'weekly',
        },
      ];
    default:
      return [
        {
          name: 'Fire Extinguisher FE-01',
          description: '6 l water additive, with sign',
          type: 'fire_extinguisher',
          level,
          room: 'General',
          frequency: 'annual',
          visitedDaysAgo: 90,
        },
      ];
  }
}
