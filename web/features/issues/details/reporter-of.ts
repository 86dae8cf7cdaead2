import type { Issue } from '#shared/features/issues/issues.ts';
import { actorLabel } from '#shared/text/names.ts';

/** Who reported an issue. @param unknown what stands where nobody is known */
export function reporterOf({ reportedByName, reportedByKey, source }: Issue, unknown = ''): string {
  if (reportedByName !== null) return actorLabel(reportedByName, reportedByKey);
  return source === 'check' ? 'A safety check' : unknown;
}
