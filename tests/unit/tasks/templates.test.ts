import { describe, expect, test } from 'vitest';
import { CHECK_VOCABULARY, TASK_CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import {
  formatDuty,
  type KnownTask,
  type MissingDuties,
  type RegisterCounts,
  searchMissingDuties,
} from '#shared/features/tasks/missing-duties.ts';
import { roughDays } from '#shared/features/tasks/task-schedule.ts';
import { OFFERED_TEMPLATES, TASK_TEMPLATES, templateOf } from '#shared/features/tasks/task-templates.ts';
import {
  formatInterval,
  groupTemplates,
  type TemplateFilter,
} from '#shared/features/tasks/task-templates.vocabulary.ts';
import { templateMessages } from '#shared/features/tasks/task-templates-messages.ts';
import { BUILDING_TASKS_MAX, taskName } from '#shared/features/tasks/tasks.vocabulary.ts';

const own = (complianceSystem: string, taskDescription = ''): KnownTask => ({
  complianceSystem,
  taskDescription,
  templateId: null,
  check: null,
});
function findMissingDuties(register: RegisterCounts, tasks: readonly KnownTask[]): MissingDuties {
  const search = searchMissingDuties(register, tasks);
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
  }
}
const missingIn = (register: RegisterCounts, tasks: KnownTask[] = []) =>
  findMissingDuties(register, tasks).missing.map(({ template }) => template.id);

describe('the library', () => {
  test('gives each template one id, a source, and words that find it', () => {
    expect(new Set(TASK_TEMPLATES.map(({ id }) => id)).size).toBe(TASK_TEMPLATES.length);
    for (const template of TASK_TEMPLATES) {
      expect(template.source).not.toBe('');
      expect(template.version).toBeGreaterThan(0);
      expect(templateOf(template.id)).toBe(template);
    }
    expect(templateOf('unknown')).toBeUndefined();
  });

  test('lets no completion on its day skip an occurrence', () => {
    for (const { recurrence } of TASK_TEMPLATES) {
      expect(roughDays(recurrence.early)).toBeLessThan(roughDays(recurrence.every));
    }
  });

  test('counts what a check satisfies by the periods of that check', () => {
    for (const { check, recurrence } of TASK_TEMPLATES) {
      if (check === null) continue;
      const { kind, rhythm } = TASK_CHECK_VOCABULARY[check];
      if (rhythm === 'annual') continue;
      const { cadence } = CHECK_VOCABULARY[kind];
      expect(recurrence.every).toEqual({ count: 1, unit: cadence === 'weekly' ? 'week' : 'month' });
    }
  });

  test('does not offer what no law asks for yet', () => {
    const later = TASK_TEMPLATES.filter((template) => !OFFERED_TEMPLATES.includes(template));
    expect(later.map(({ id }) => id)).toEqual(['martyns-law-procedures', 'martyns-law-drills']);
  });
});

describe('missing duties', () => {
  test('follow from the register: two lifts, no LOLER task; water outlets, no legionella review', () => {
    const { missing } = findMissingDuties({ lift: 2 }, []);
    expect(missing.map(formatDuty)).toEqual([
      '2 lifts, no task: Lifting Equipment – LOLER thorough examination: lifts for people, accessories',
    ]);
    expect(missingIn({ water_outlet: 12 })).toEqual(['outlet-temperatures', 'flushing', 'legionella-review']);
    expect(missingIn({})).toEqual([]);
  });

  test('are met by a task of the template, of the same check, or by name', () => {
    const from = (templateId: string): KnownTask => ({ ...own('Anything'), templateId });
    const checked = (check: KnownTask['check']): KnownTask => ({ ...own('Anything'), check });
    expect(missingIn({ lift: 1 }, [from('loler-people')])).toEqual([]);
    expect(missingIn({ lift: 1 }, [from('loler-other')])).toEqual(['loler-people']);
    expect(missingIn({ lift: 1 }, [own('Passenger lifts', 'loler inspection')])).toEqual([]);
    expect(missingIn({ emergency_light: 1 }, [checked('lighting_function')])).toEqual([
      'lighting-duration',
      'lighting-photometric',
    ]);
  });

  test('are recognised by whole words alone', () => {
    expect(missingIn({ local_exhaust: 1 }, [own('Levels of noise')])).toEqual(['local-exhaust-ventilation']);
    expect(missingIn({ local_exhaust: 1 }, [own('Workshop', 'LEV test')])).toEqual([]);
    expect(missingIn({ smoke_control: 1 }, [own('AOVs')])).toEqual([]);
  });

  test('a task of one template is not taken for another duty, even where the names are alike', () => {
    const made = TASK_TEMPLATES.map(({ id, complianceSystem, taskDescription, check }) => ({
      ...{ complianceSystem, taskDescription, check },
      templateId: id,
    }));
    const all = Object.fromEntries(
      TASK_TEMPLATES.flatMap(({ assetTypes }) => assetTypes.map((type) => [type, 1])),
    );
    expect(findMissingDuties(all, made)).toEqual({ missing: [], toConfirm: [] });
    for (const template of OFFERED_TEMPLATES) {
      const others = made.filter(({ templateId }) => templateId !== template.id);
      const { missing, toConfirm } = findMissingDuties(all, others);
      expect([...missing, ...toConfirm].map((duty) => taskName(duty.template))).toEqual([taskName(template)]);
    }
  });

  test('what hangs on nation, height, use, age or size is to be confirmed, never missing', () => {
    const { missing, toConfirm } = findMissingDuties({ boiler: 1, air_conditioning: 3 }, []);
    expect(missing).toEqual([]);
    const named = toConfirm.map(({ template }) => template.id);
    expect(named).toEqual(
      expect.arrayContaining([
        'landlord-gas',
        'air-conditioning-inspection',
        'communal-fire-doors',
        'asbestos-register-review',
      ]),
    );
    expect(toConfirm.every(({ template }) => template.dependsOn !== null)).toBe(true);
    const gas = toConfirm.find(({ template }) => template.id === 'landlord-gas');
    expect(gas && formatDuty(gas)).toBe(
      '1 boiler; Gas appliances in rented homes, no task: Gas Safety – Landlord gas safety check',
    );
    // Without such an asset there is nothing to confirm.
    expect(findMissingDuties({}, []).toConfirm.map(({ template }) => template.id)).not.toContain(
      'landlord-gas',
    );
  });
});

test('what is missing is searched for in a step for each task and each duty', () => {
  const tasks = Array.from({ length: BUILDING_TASKS_MAX }, (_, n) =>
    own('Lifts', `${'word '.repeat(400)}${n}`),
  );
  let steps = 0;
  for (const search = searchMissingDuties({ lift: 1 }, tasks); search.next().done !== true; ) steps += 1;
  expect(steps).toBe(BUILDING_TASKS_MAX + OFFERED_TEMPLATES.length);
});

describe('the library on the screen', () => {
  const ALL = { search: '', class: null, nation: null };
  const idsOf = (filter: Partial<TemplateFilter>) =>
    groupTemplates({ ...ALL, ...filter }).flatMap(({ templates }) => templates.map(({ id }) => id));

  test('has every template once, and those whose law has not commenced apart', () => {
    expect(idsOf({}).sort()).toEqual(TASK_TEMPLATES.map(({ id }) => id).sort());
    const last = groupTemplates(ALL).at(-1);
    expect(last?.subject).toBe(templateMessages.notInForce);
    expect(last?.templates.every(({ isInForce }) => !isInForce)).toBe(true);
  });

  test('is narrowed by class, nation and words', () => {
    expect(idsOf({ search: 'loler' })).toEqual(['loler-people', 'loler-other']);
    expect(idsOf({ search: 'Lightning  specialist' })).toEqual(['lightning-protection']);
    expect(idsOf({ search: 'lift', class: 'law' })).toEqual([
      'firefighting-lifts',
      'loler-people',
      'loler-other',
    ]);
    expect(idsOf({ nation: 'england', search: 'door' })).toEqual([
      'communal-fire-doors',
      'flat-entrance-doors',
    ]);
    expect(idsOf({ search: 'nothing says this' })).toEqual([]);
  });

  test('says every interval without "biannually"', () => {
    for (const template of TASK_TEMPLATES) expect(formatInterval(template)).not.toContain('Biannually');
  });
});
