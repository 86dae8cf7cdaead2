/** Apart from the other sentences about places, which every first screen fetches. */
export const healthcareMessages = {
  label: 'Healthcare premises',
  hint: 'Hot outlets have to reach 55 °C instead of 50 °C. What was recorded before keeps the limit that judged it.',
} as const;
