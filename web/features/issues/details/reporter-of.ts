import type { Issue } from '#shared/features/issues/issues.ts';
import { actorLabel } from '#shared/text/names.ts';

/**
 * Returns the reporter of an issue, in words.
 * @param unknown the text if the reporter is not known
 */
export function reporterOf({ reportedByName, reportedByKey, source }: Issue, unknown = ''): string {
  if (reportedByName !== null) return actorLabel(reportedByName, reportedByKey);
  return source === 'check' ? 'A safety check' : unknown;
}
