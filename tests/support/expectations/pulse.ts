import { PULSE_PAGE_MAX } from '#shared/features/pulse/pulse.ts';
import { EVERYWHERE_OK, type ExpectationsOf } from './row.ts';

const everywhere = { outcome: EVERYWHERE_OK, adminOutcome: EVERYWHERE_OK } as const;

export const pulse: ExpectationsOf<'pulse'> = {
  'pulse.list': {
    kind: 'query',
    needs: 'view_dashboard',
    input: () => ({}),
    ...everywhere,
    largest: () => ({ limit: PULSE_PAGE_MAX }),
  },
  'pulse.get': {
    kind: 'query',
    needs: 'view_dashboard',
    input: ({ buildingId }) => ({ buildingId }),
    largest: ({ siteId }) => ({ buildingId: siteId }),
  },
  'pulse.upkeep': { kind: 'query', needs: 'view_dashboard', input: () => undefined, ...everywhere },
  'pulse.summary': { kind: 'query', needs: 'view_dashboard', input: () => undefined, ...everywhere },
};
