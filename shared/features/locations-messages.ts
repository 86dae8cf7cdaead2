/** Apart from the other sentences about places, which every first screen fetches. */
export const healthcareMessages = {
  label: 'Healthcare premises',
  hint: 'Hot outlets must reach 55 °C instead of 50 °C. Earlier records keep the limit that applied at the time.',
} as const;
