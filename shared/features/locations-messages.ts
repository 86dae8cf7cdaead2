import { waterLimits } from './checks/kinds/water-limits.vocabulary.ts';

const { min: usual } = waterLimits('hot', false);
const { min: healthcare } = waterLimits('hot', true);

/** Apart from the other sentences about places, which every first screen fetches. */
export const healthcareMessages = {
  label: 'Healthcare premises',
  hint: `Hot outlets must reach ${healthcare} °C instead of ${usual} °C. Earlier records keep the limit that applied at the time.`,
} as const;
