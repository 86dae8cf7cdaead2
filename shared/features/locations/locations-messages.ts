import { waterLimits } from './water-limits.vocabulary.ts';

const { min: usual } = waterLimits('hot', false);
const { min: healthcare } = waterLimits('hot', true);

/** In a file of their own because every first screen loads `messages.ts`. */
export const healthcareMessages = {
  label: 'Healthcare premises',
  hint: `Hot outlets must reach ${healthcare} °C instead of ${usual} °C. Earlier records keep the limit that applied at the time.`,
} as const;
