import { searchKey } from '../../text/name-keys.ts';
import { ASSET_TYPE_LABELS } from '../assets/assets.vocabulary.ts';
import {
  type Nation,
  OFFERED_TEMPLATES,
  TASK_TEMPLATES,
  type TaskTemplate,
  type TemplateClass,
} from './task-templates.ts';
import { templateMessages } from './task-templates-messages.ts';
import { formatRecurrence, TASK_FREQUENCY_LABELS, taskName } from './tasks.vocabulary.ts';

// The words, the groups and the search of the library of templates.

export const TEMPLATE_CLASS_LABELS: Readonly<Record<TemplateClass, string>> = {
  law: 'Law',
  approved: 'Approved code or guidance',
  standard: 'Standard',
};
export const NATION_LABELS: Readonly<Record<Nation, string>> = {
  uk: 'United Kingdom',
  gb: 'Great Britain',
  england: 'England',
  england_wales: 'England and Wales',
};

/** The subjects of the library in their order, with the compliance systems that belong to each. */
const SUBJECTS: readonly (readonly [subject: string, systems: readonly string[]])[] = [
  [
    'Fire',
    [
      ...['Fire Alarm', 'Emergency Lighting', 'Fire Extinguishers', 'Fire Risk Assessment', 'Fire Doors'],
      ...['Firefighting Lifts', 'Residential PEEPs', 'Secure Information Box', 'Risers', 'Sprinklers'],
      ...['Smoke Control', 'Fire Dampers'],
    ],
  ],
  ['Water', ['Water Hygiene']],
  ['Electricity and lightning', ['Electrical Installation', 'Portable Appliances', 'Lightning Protection']],
  ['Gas', ['Gas Safety']],
  [
    'Lifting, pressure and machinery',
    ['Lifting Equipment', 'Pressure Systems', 'Local Exhaust Ventilation', 'Powered Doors'],
  ],
  ['Cooling and energy', ['F-Gas', 'Air Conditioning', 'Energy Certificates']],
  ['Asbestos, heights and grounds', ['Asbestos', 'Fall Arrest', 'Playground']],
];
const NOT_IN_FORCE_SUBJECT = templateMessages.notInForce;

export type TemplateFilter = { search: string; class: TemplateClass | null; nation: Nation | null };

/** The templates that match a filter, by subject; those whose law has not commenced come last. */
export function groupTemplates(filter: TemplateFilter): { subject: string; templates: TaskTemplate[] }[] {
  const offered = SUBJECTS.map(([subject, systems]) => ({
    subject,
    templates: OFFERED_TEMPLATES.filter(({ complianceSystem }) => systems.includes(complianceSystem)),
  }));
  const waiting = TASK_TEMPLATES.filter(({ isInForce }) => !isInForce);
  return [...offered, { subject: NOT_IN_FORCE_SUBJECT, templates: waiting }]
    .map(({ subject, templates }) => ({
      subject,
      templates: templates.filter((template) => matches(filter, template)),
    }))
    .filter(({ templates }) => templates.length > 0);
}

function matches({ search, class: wanted, nation }: TemplateFilter, template: TaskTemplate): boolean {
  if (wanted !== null && template.class !== wanted) return false;
  if (nation !== null && template.nation !== nation) return false;
  const { source, competence, evidence } = template;
  const text = [
    taskName(template),
    source,
    competence,
    evidence,
    formatApplies(template),
    formatInterval(template),
  ];
  const key = searchKey(text.join('\n'));
  return searchKey(search)
    .split(' ')
    .every((word) => key.includes(word));
}

/** "Every 6 months · A month earlier or later is accepted"; never "biannually", because that word is unclear. */
export function formatInterval({ recurrence, intervalNote }: TaskTemplate): string {
  const words = formatRecurrence(recurrence);
  const clear = words === TASK_FREQUENCY_LABELS.biannually ? 'Every 6 months' : words;
  return [clear, ...(intervalNote === null ? [] : [intervalNote])].join(' · ');
}

/** Where a template applies: the assets that have the duty, and the fact on which it depends. */
export function formatApplies({ assetTypes, dependsOn }: TaskTemplate): string {
  const assets = assetTypes.map((type) => ASSET_TYPE_LABELS[type]).join(', ');
  return [assets, dependsOn ?? ''].filter((part) => part !== '').join('; ') || 'Everywhere';
}
