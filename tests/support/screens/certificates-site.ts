import type { Locator, Page } from 'playwright-core';
import { addDays, formatDay } from '#shared/dates.ts';
import type { Document } from '#shared/features/documents/documents.ts';
import { certificateMessages } from '#shared/features/tasks/certificate-messages.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { WebSetting } from '../browser/web-setting.ts';
import type { TestPerson } from '../rows/factories.ts';
import { textFile } from './documents-screen.ts';
import { live } from './issues-screen.ts';
import { COMPLIANCE } from './tasks-screen.ts';
import { createTasksSite, type TasksSite } from './tasks-site.ts';

const VALID_UNTIL_DAYS = 700;

/** The text of the certificates that tests attach. */
export const CERTIFICATE = 'No observations of code C1 or C2.';

/** A building for one test, with a report that was completed today. */
export type CertificatesSite = TasksSite & {
  report: Task;
  /** The day until which the report is valid. */
  validUntil: string;
  /** Opens the record of the report. */
  openRecord(who: TestPerson): Promise<Page>;
  /** Chooses a certificate for the completion. */
  attach(page: Page, name: string, body?: string): Promise<void>;
  /** The certificates of the report that the server has. */
  stored(): Promise<Document[]>;
};

/** Makes a building for one test of certificates. */
export async function createCertificatesSite(setting: WebSetting): Promise<CertificatesSite> {
  const here = await createTasksSite(setting);
  const report = await here.tasks.add('Condition report', {
    complianceSystem: 'Electrical Installation',
    frequency: 'P60M/stated',
  });
  const validUntil = addDays(here.today, VALID_UNTIL_DAYS);
  await here.client.tasks.complete.mutate({
    ...{ operationId: uuidv7(), id: report.id, occurrence: report.occurrence, day: here.today },
    stated: validUntil,
  });
  const completion = `Completed on ${formatDay(here.today)}`;
  return {
    ...{ ...here, report, validUntil },
    async openRecord(who) {
      const page = await setting.open(who, `${COMPLIANCE}?building=${here.site.id}&task=${report.id}`);
      await live(page);
      await page.getByRole('dialog').getByText(completion).waitFor();
      return page;
    },
    attach: (page, name, body = CERTIFICATE) =>
      page
        .getByLabel(certificateMessages.attachTo(completion), { exact: true })
        .and(page.locator('input'))
        .setInputFiles(textFile(name, body)),
    stored: async () => (await here.client.documents.ofTask.query({ taskId: report.id })).data,
  };
}

/** The row of a certificate in the record. */
export const certificate = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: certificateMessages.title }).getByRole('listitem').filter({ hasText: name });
