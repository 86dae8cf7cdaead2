import { healthcareMessages } from './locations-messages.ts';

type Detail = {
  field: string;
  control: 'lines' | 'text' | 'yes-no';
  label: string;
  /** Shown below the label of a yes-no field. */
  help?: string;
  /** The column in imported and exported files, the import's hint, and the cell in its example. */
  column: string;
  hint: string;
  example: string;
};

/** The fields of a building besides its name, in the order of forms and files. The short forms have only the first. */
export const BUILDING_DETAILS = [
  {
    field: 'address',
    control: 'lines',
    label: 'Address',
    column: 'Address',
    hint: 'May be empty',
    example: '1 Quay Street, Leeds',
  },
  {
    field: 'isHealthcare',
    control: 'yes-no',
    label: healthcareMessages.label,
    help: healthcareMessages.hint,
    column: 'Healthcare',
    hint: 'Yes or No: its hot water has a limit of its own',
    example: 'No',
  },
] as const satisfies readonly Detail[];
export type BuildingDetail = (typeof BUILDING_DETAILS)[number];
