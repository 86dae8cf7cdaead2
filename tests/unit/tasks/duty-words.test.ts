import { describe, expect, test } from 'vitest';
import { hasPhrase, stemsIn } from '#shared/features/tasks/duty-words.ts';
import { OFFERED_TEMPLATES } from '#shared/features/tasks/task-templates.ts';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';

// The words by which registers name their tasks, and the duties of the library that they match.

const GAS = ['landlord-gas', 'commercial-gas'];
const EICR = ['eicr-rented-homes', 'eicr-commercial'];
const PAT = ['portable-appliances', 'portable-appliances-social-landlord'];
const LOLER = ['loler-people', 'loler-other'];
const F_GAS = ['f-gas-5-tonnes', 'f-gas-50-tonnes', 'f-gas-500-tonnes'];

const NAMED: readonly (readonly [system: string, description: string, duties: readonly string[]])[] = [
  ['Fire Alarm', 'Service by a contractor', ['alarm-service']],
  ['Fire Alarm', 'weekly test', ['alarm-weekly-test']],
  ['Fire alarm', 'Weekly bell test', ['alarm-weekly-test']],
  ['Fire Alarm – weekly', 'Call point', ['alarm-weekly-test']],
  ['Fire Detection', 'Test of one break glass unit every week', ['alarm-weekly-test']],
  ['Fire alarms', 'Six-monthly service', ['alarm-service']],
  ['FIRE ALARM', '6 monthly servicing', ['alarm-service']],
  ['Fire alarm', 'Bi-annual maintenance visit', ['alarm-service']],
  ['Servicing – fire alarm', 'Half yearly', ['alarm-service']],
  ['Fire alarm', 'Annual service and test', ['alarm-service']],
  ['Fire alarm', 'Quarterly PPM', ['alarm-service']],
  ['Intruder alarm', 'Annual service', []],
  ['Emergency lighting', '3 hour test', ['lighting-duration']],
  ['Emergency Lights', 'Annual 3hr discharge', ['lighting-duration']],
  ['Emergency lighting', 'Full duration', ['lighting-duration']],
  ['Emergency lights', 'Monthly flick test', ['lighting-function']],
  ['Emergency Lighting', 'Functional test, each month', ['lighting-function']],
  ['Emergency Lighting', 'Photometric verification every five years', ['lighting-photometric']],
  ['External lighting', 'Monthly check', []],
  ['fire extinguishers', '', ['extinguishers-service']],
  ['Fire extinguishers', 'Annual service', ['extinguishers-service']],
  ['Fire Extinguisher Maintenance', 'By contractor', ['extinguishers-service']],
  ['Extinguishers', 'Monthly visual check', ['extinguishers-visual']],
  ['Fire extinguishers', 'Five-yearly discharge test', ['extinguishers-extended-service']],
  ['Fire Extinguishers', 'Extended service', ['extinguishers-extended-service']],
  ['CO₂ extinguishers', '10 year overhaul', ['extinguishers-co2-overhaul']],
  ['FRA', 'Annual review', ['fire-risk-assessment-review']],
  ['Fire Risk Assessment', '', ['fire-risk-assessment-review']],
  ['Fire doors', 'Quarterly inspection of communal doors', ['communal-fire-doors']],
  ['Fire Doors', 'Flat entrance doors, yearly', ['flat-entrance-doors']],
  ["Firemen's lift", 'Monthly check', ['firefighting-lifts']],
  ['Fire-fighting lifts', 'Monthly', ['firefighting-lifts']],
  ['Dry riser', 'Annual pressure test', ['risers']],
  ['Sprinklers', 'Annual service', ['sprinklers']],
  ['AOVs', 'Service', ['smoke-control']],
  ['Smoke ventilation', 'Yearly service', ['smoke-control']],
  ['Fire damper', 'Drop test', ['fire-dampers']],
  ['Water Hygiene', 'Monthly tap temperatures', ['outlet-temperatures']],
  ['Legionella', 'Monthly temperature monitoring', ['outlet-temperatures']],
  ['L8', 'Weekly flush of little used outlets', ['flushing']],
  ['Legionella risk assessment', 'Review every 2 years', ['legionella-review']],
  ['Legionella', 'Risk assessment', ['legionella-review']],
  ['CWST', 'Six-monthly inspection', ['cold-water-tank']],
  ['Cold water storage tanks', 'Clean and inspect', ['cold-water-tank']],
  ['Calorifiers', 'Annual inspection', ['calorifier']],
  ['Shower heads', 'Quarterly descale', ['showers']],
  ['Thermostatic mixing valves', 'Annual service', ['tmv-service']],
  ['TMVs', 'Fail-safe test', ['tmv-service']],
  ['Fixed wiring', '5 year test', EICR],
  ['Electrical', 'EICR', EICR],
  ['Electrical', 'Five yearly fixed-wire testing', EICR],
  ['Electrical installation condition report', '', EICR],
  ['PAT testing', 'Annual', PAT],
  ['Portable Appliances', 'Test', PAT],
  ['Gas', 'LGSR (CP12)', GAS],
  ['Boiler', 'Annual service', GAS],
  ['Gas safety', 'Annual check', GAS],
  ['F-Gas', 'Leak check', F_GAS],
  ['Lifts', 'LOLER', LOLER],
  ['Passenger lift', '6 monthly thorough examination (insurance)', LOLER],
  ['Pressure vessels', 'PSSR inspection', ['pressure-systems']],
  ['LEV', '14 monthly examination', ['local-exhaust-ventilation']],
  ['Noise', 'Levels in the plant room', []],
  ['Mansafe', 'Annual', ['fall-arrest']],
  ['Automatic doors', 'Service', ['powered-doors']],
  ['Air conditioning', 'TM44 inspection', ['air-conditioning-inspection']],
  ['EPC', 'Renew', ['energy-performance-certificate']],
  ['December', 'Close-down checks', []],
  ['Lightning conductor', 'Annual test', ['lightning-protection']],
  ['Asbestos', 'Annual re-inspection', ['asbestos-register-review']],
  ['Playground', 'Weekly check', ['playground-routine']],
  ['Play area', 'RoSPA annual inspection', ['playground-annual']],
];

describe('a task of one’s own', () => {
  test.each(NAMED)('“%s”, “%s” is about %j', (complianceSystem, taskDescription, duties) => {
    const stems = stemsIn(taskName({ complianceSystem, taskDescription }));
    const found = OFFERED_TEMPLATES.filter(({ words }) => words.some((phrase) => hasPhrase(stems, phrase)));
    expect(found.map(({ id }) => id).sort()).toEqual([...duties].sort());
  });

  test('is about a duty whatever the dashes, the order and the case', () => {
    const said = [
      'Fire alarm – Six-monthly service',
      'SERVICE, fire-alarm (6 monthly)',
      'half yearly: fire alarms serviced',
    ];
    const [first, ...others] = said.map((text) => [...stemsIn(text)].sort());
    for (const other of others) expect(other).toEqual(first);
  });
});

test('the library finds its own tasks by their names', () => {
  for (const template of OFFERED_TEMPLATES) {
    const stems = stemsIn(taskName(template));
    expect(
      template.words.some((phrase) => hasPhrase(stems, phrase)),
      template.id,
    ).toBe(true);
  }
});
