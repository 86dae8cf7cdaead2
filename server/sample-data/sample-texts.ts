import { formatDay } from '#shared/dates.ts';
import type { PdfPage } from './sample-pdf.ts';

/** The place and the day that a document mentions. */
export type About = { building: string; address: string; day: string };

/** The documents whose text is a page or two. */
export const SAMPLE_PAPERS = {
  riskAssessment: ({ building, address, day }: About): PdfPage[] => [
    {
      heading: 'Fire risk assessment',
      lines: [
        ['Premises', building],
        ['Address', address],
        ['Date of assessment', formatDay(day)],
        ['Assessor', 'Ines Moreau, Level 4 (Advanced)'],
        ['Overall risk', 'Tolerable'],
        '',
        'Significant findings',
        '1.  Door D-2.04 does not close fully from any angle. Adjust the closer.',
        '2.  Storage in the lobby of the north stair. Remove it, and inspect weekly.',
        '3.  Evacuation chair on the second floor: training was last given two years ago.',
        '',
        'The assessment was made on foot, with access to all floors, the roof and the plant room.',
        'Cavities and voids were not opened.',
      ],
    },
    {
      heading: 'Action plan',
      lines: [
        ['D-2.04, closer', 'High, within 1 month'],
        ['Storage, north stair', 'High, at once'],
        ['Evacuation chair, training', 'Medium, within 3 months'],
        ['Review', 'Annually, or after a change of use'],
      ],
    },
  ],
  alarmCertificate: ({ building, day }: About): PdfPage[] => [
    {
      heading: 'Inspection and servicing certificate',
      lines: [
        ['Premises', building],
        ['System', 'Fire detection and fire alarm, category L2'],
        ['Standard', 'BS 5839-1'],
        ['Serviced by', 'Brightwell Fire Ltd'],
        ['Date', formatDay(day)],
        '',
        'Devices tested: 100 % of call points, 50 % of detectors, all sounders.',
        'Batteries: within limits. Cause and effect: verified.',
        'No variations. One recommendation: replace the buzzer of the repeater panel.',
      ],
    },
  ],
  legionella: ({ building, day }: About): PdfPage[] => [
    {
      heading: 'Legionella risk assessment',
      lines: [
        ['Premises', building],
        ['Made by', 'Aquasure'],
        ['Date', formatDay(day)],
        ['Guidance', 'ACoP L8, HSG274 part 2'],
        '',
        'Hot water leaves the calorifier at 61 °C and returns at 52 °C.',
        'Little used outlets: showers of the second floor, cleaners’ sink in the basement.',
        'Recommendation: flush these weekly and record it; descale shower heads quarterly.',
      ],
    },
  ],
  laboratory: ({ building, day }: About): PdfPage[] => [
    {
      heading: 'Certificate of analysis',
      lines: [
        ['Premises', building],
        ['Sampled on', formatDay(day)],
        ['Method', 'BS EN ISO 11731'],
        '',
        ['Calorifier, flow', 'Legionella not detected'],
        ['Kitchen sink, cold', 'Legionella not detected'],
        ['Shower 2.03', '100 cfu per litre, resample'],
      ],
    },
  ],
  eicr: ({ building, day }: About): PdfPage[] => [
    {
      heading: 'Electrical installation condition report',
      lines: [
        ['Premises', building],
        ['Inspected by', 'Volt & Co'],
        ['Date', formatDay(day)],
        ['Standard', 'BS 7671'],
        ['Overall assessment', 'Satisfactory'],
        '',
        'C3: no RCD protection for a socket in the plant room. Improvement recommended.',
        'No observations of code C1 or C2.',
      ],
    },
  ],
  loler: ({ building, day }: About): PdfPage[] => [
    {
      heading: 'Report of thorough examination',
      lines: [
        ['Premises', building],
        ['Equipment', 'Passenger lift 1, 630 kg, 4 landings'],
        ['Regulations', 'LOLER 1998, regulation 9'],
        ['Examined by', 'Northline Lifts'],
        ['Date', formatDay(day)],
        '',
        'No defects that are or could become a danger to people.',
        'Observation: wear of the door shoes on the ground floor; replace at the next service.',
      ],
    },
  ],
  insurance: ({ building, address, day }: About): PdfPage[] => [
    {
      heading: 'Certificate of employers’ liability insurance',
      lines: [
        ['Place of business', building],
        ['Address', address],
        ['Cover begins', formatDay(day)],
        ['Limit of indemnity', '£ 10,000,000'],
        '',
        'A copy of this certificate must be displayed at each place of business.',
      ],
    },
  ],
} as const;
export type SamplePaper = keyof typeof SAMPLE_PAPERS;

/** The documents that are plain text. */
export const SAMPLE_NOTES = {
  keys: ({ building }: About) =>
    [
      `Access to ${building}`,
      '',
      'Keys: key safe beside the goods entrance. Ask the building manager for the code.',
      'Alarm: the panel is in the ground floor lobby, behind the door on the left.',
      'Plant room: basement, key 14. Two people, and sign in at the permit board.',
      'Roof: permit to work only. The hatch is on the north stair.',
      '',
      'Out of hours: ring the duty manager before you enter.',
      '',
    ].join('\n'),
  outlets: () =>
    [
      'Outlet,Floor,Kind,Flushed,Remarks',
      'Kitchen sink,Ground,Mixed,Daily use,',
      'Basin tap 1.01,1,Mixed,Daily use,',
      'Shower 2.03,2,Mixed,Weekly,Little used',
      'Cleaners’ sink,Basement,Cold,Weekly,Little used',
      'Calorifier 1 return,Plant room,Hot,,Sentinel point',
      '',
    ].join('\n'),
} as const;
export type SampleNote = keyof typeof SAMPLE_NOTES;
