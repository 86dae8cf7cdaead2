/** Sentences about certificates of completed tasks. */
export const certificateMessages = {
  title: 'Certificates',
  attach: 'Attach certificate',
  /** @param completion the completion as in the record: "Completed on Nov 20, 2026" */
  attachTo: (completion: string) => `Attach certificate: ${completion}`,
  kept: 'A certificate stays with the record and cannot be removed.',
  attached: (count: number) =>
    count === 1 ? 'Certificate attached successfully' : `${count} certificates attached successfully`,
  download: (name: string) => `Download ${name}`,
  fetchFailed: 'Failed to fetch certificates',
  forbidden: "You don't have permission to attach certificates",
} as const;
