import { Ban, Droplets } from 'lucide-react';
import { outletFlushingMessages } from '#shared/features/checks/kinds/outlet-flushing.vocabulary.ts';
import { choiceIcon } from './choice-icon.ts';
import type { FormSpec } from './form-spec.ts';

export const outletFlushingForm: Partial<FormSpec> = {
  outcome: {
    field: 'isFlushed',
    label: 'Flushing',
    choices: [
      { value: 'pass', label: 'Flushed', icon: choiceIcon(Droplets), tone: 'ok' },
      { value: 'fail', label: 'Could not flush', icon: choiceIcon(Ban), tone: 'bad' },
    ],
  },
  asks: { fail: 'Why it could not be flushed' },
  reasons: { fail: outletFlushingMessages.reasonNotFlushed },
  everyRow: true,
  fillAll: { value: 'pass', label: 'All flushed', others: 'All others flushed' },
  numbers: [{ field: 'minutes', label: 'Minutes flushed', suffix: 'min', after: ['pass'] }],
  done: 'done',
};
