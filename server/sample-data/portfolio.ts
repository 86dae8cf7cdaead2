import { SAMPLE_SITE_ID } from '#shared/features/locations/locations.ts';
import type { Role } from '#shared/permissions.ts';

export const SAMPLE_PASSWORD = 'lintel-demo';

export type SamplePerson = {
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  /** Codes of buildings. */
  buildings: readonly string[];
};

export type SampleBuilding = {
  id?: string;
  code: string;
  client: string;
  name: string;
  address: string;
  floors: number;
  basement?: true;
};

export const SAMPLE_CLIENTS = [
  'Northgate Estates',
  'Harbour & Vale Housing',
  'Meridian Offices',
  'Albion Learning Trust',
  'Priory Care Homes',
] as const;

/** The first building has the preset test locations of the fire alarm log. */
export const SAMPLE_BUILDINGS: readonly SampleBuilding[] = [
  {
    id: SAMPLE_SITE_ID,
    code: 'HAR',
    client: 'Meridian Offices',
    name: 'Harbour House',
    address: '12 Harbour Street, Bristol BS1 4RN',
    floors: 3,
    basement: true,
  },
  {
    code: 'MIL',
    client: 'Meridian Offices',
    name: 'Mill Lane Studios',
    address: '4 Mill Lane, Bath BA1 1HY',
    floors: 4,
  },
  {
    code: 'QUA',
    client: 'Meridian Offices',
    name: 'Quayside 4',
    address: '4 Quayside, Bristol BS1 6TB',
    floors: 7,
    basement: true,
  },
  {
    code: 'STG',
    client: 'Harbour & Vale Housing',
    name: 'St George’s Court',
    address: '1–48 St George’s Road, Bristol BS8 3TN',
    floors: 6,
  },
  {
    code: 'CAS',
    client: 'Harbour & Vale Housing',
    name: 'Castle Point',
    address: '20 Castle Street, Cardiff CF10 1BT',
    floors: 9,
    basement: true,
  },
  {
    code: 'WEA',
    client: 'Harbour & Vale Housing',
    name: 'Weavers’ Mill',
    address: '7 Canal Side, Stroud GL5 1JZ',
    floors: 5,
  },
  {
    code: 'ALB',
    client: 'Northgate Estates',
    name: 'Albion Works',
    address: '60 Albion Road, Leeds LS1 5QS',
    floors: 3,
  },
  {
    code: 'EXC',
    client: 'Northgate Estates',
    name: 'Exchange Hall',
    address: '3 Exchange Square, Leeds LS1 2QH',
    floors: 5,
    basement: true,
  },
  {
    code: 'FOU',
    client: 'Northgate Estates',
    name: 'Foundry Yard',
    address: '18 Foundry Lane, Sheffield S3 8GA',
    floors: 2,
  },
  {
    code: 'TAN',
    client: 'Northgate Estates',
    name: 'Tannery Row',
    address: '31 Tannery Row, Leeds LS10 1PZ',
    floors: 4,
  },
  {
    code: 'KIN',
    client: 'Albion Learning Trust',
    name: 'Kingsway School',
    address: 'Kingsway, Gloucester GL2 2AR',
    floors: 2,
  },
  {
    code: 'BRO',
    client: 'Albion Learning Trust',
    name: 'Brook Lane College',
    address: '95 Brook Lane, Gloucester GL1 3HN',
    floors: 3,
  },
  {
    code: 'PRI',
    client: 'Priory Care Homes',
    name: 'Priory Gardens',
    address: '2 Priory Walk, Cheltenham GL50 2XE',
    floors: 2,
  },
  {
    code: 'LIM',
    client: 'Priory Care Homes',
    name: 'The Limes',
    address: '44 Lime Avenue, Cheltenham GL52 6QN',
    floors: 3,
    basement: true,
  },
];

/** Codes of healthcare buildings, where hot water must be hotter. */
export const HEALTHCARE: readonly string[] = ['PRI', 'LIM'];

const WEST = ['HAR', 'MIL', 'QUA', 'STG', 'CAS', 'WEA'];
const NORTH = ['ALB', 'EXC', 'FOU', 'TAN'];
const CARE = ['KIN', 'BRO', 'PRI', 'LIM'];

/** The four accounts that `npm run demo` prints come first. */
export const SAMPLE_PEOPLE: readonly SamplePerson[] = [
  { email: 'admin@example.com', firstName: 'Alex', lastName: 'Morgan', role: 'admin', buildings: [] },
  {
    email: 'manager@example.com',
    firstName: 'Sam',
    lastName: 'Taylor',
    role: 'manager',
    buildings: [...WEST, 'ALB', 'EXC'],
  },
  {
    email: 'operative@example.com',
    firstName: 'Jordan',
    lastName: 'Reed',
    role: 'operative',
    buildings: ['HAR', 'MIL', 'QUA'],
  },
  {
    email: 'viewer@example.com',
    firstName: 'Robin',
    lastName: 'Hayes',
    role: 'viewer',
    buildings: ['HAR', 'MIL', 'STG'],
  },
  { email: 'priya@example.com', firstName: 'Priya', lastName: 'Shah', role: 'manager', buildings: WEST },
  { email: 'tom@example.com', firstName: 'Tom', lastName: 'Walker', role: 'manager', buildings: NORTH },
  { email: 'grace@example.com', firstName: 'Grace', lastName: 'Bennett', role: 'manager', buildings: CARE },
  {
    email: 'daniel@example.com',
    firstName: 'Daniel',
    lastName: 'Okafor',
    role: 'operative',
    buildings: NORTH,
  },
  { email: 'owen@example.com', firstName: 'Owen', lastName: 'Price', role: 'operative', buildings: CARE },
  {
    email: 'mei@example.com',
    firstName: 'Mei',
    lastName: 'Lin',
    role: 'viewer',
    buildings: ['QUA', 'CAS', 'ALB', 'EXC', 'KIN', 'PRI'],
  },
];

/** Number of `SAMPLE_PEOPLE` shown to people who try the product. */
export const SHOWN_ACCOUNTS = 4;
