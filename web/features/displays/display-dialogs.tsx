import { useState } from 'react';
import { DEFAULT_DISPLAY_SETTINGS } from '#shared/features/displays/display-settings.ts';
import {
  type Display,
  newDisplayInput,
  replaceScreenInput,
  updateDisplayInput,
} from '#shared/features/displays/displays.ts';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { FormActions } from '../../forms/form-actions.tsx';
import { useCommandForm } from '../../forms/use-command-form.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { CodeDialog } from './code-dialog.tsx';
import { type DisplayFields, DisplayFieldset } from './display-fields.tsx';
import { useDisplayCommands } from './use-displays.ts';

const BLANK: DisplayFields = {
  name: '',
  view: 'manager',
  allBuildings: true,
  buildingIds: [],
  settings: DEFAULT_DISPLAY_SETTINGS,
};
const replaceSchema = replaceScreenInput.omit({ operationId: true });
const updateSchema = updateDisplayInput.omit({ operationId: true });

/** Dialog that pairs a screen. */
export function PairDialog({ firstCode, onClose }: { firstCode: string; onClose: () => void }) {
  return (
    <CodeDialog title="Pair a Display" firstCode={firstCode} onClose={onClose}>
      {(code) => <PairForm code={code} onClose={onClose} />}
    </CodeDialog>
  );
}

function PairForm({ code, onClose }: { code: string; onClose: () => void }) {
  const { pair } = useDisplayCommands();
  const [id] = useState(uuidv7);
  const form = useCommandForm({
    blank: BLANK,
    schema: newDisplayInput,
    input: (values) => ({ ...values, id, code }),
    send: pair,
    about: (_answer, { name }) => name,
    success: displayMessages.paired,
    failure: displayMessages.pairFailed,
    onSent: onClose,
  });
  return (
    <CommandForm form={form}>
      <DisplayFieldset form={form} />
      <FormActions form={form} action="Pair" pending="Pairing..." />
    </CommandForm>
  );
}

/** Dialog that replaces the screen of a display. */
export function ReplaceDialog({ display, onClose }: { display: Display; onClose: () => void }) {
  return (
    <CodeDialog title={`Replace the Screen of ${display.name}`} firstCode="" onClose={onClose}>
      {(code) => <ReplaceForm display={display} code={code} onClose={onClose} />}
    </CodeDialog>
  );
}

function ReplaceForm({ display, code, onClose }: { display: Display; code: string; onClose: () => void }) {
  const { replace } = useDisplayCommands();
  const form = useCommandForm({
    blank: { code, id: display.id },
    schema: replaceSchema,
    send: replace,
    about: display.name,
    success: displayMessages.replaced,
    failure: displayMessages.replaceFailed,
    onSent: onClose,
  });
  return (
    <CommandForm form={form}>
      <p className="text-ink-2">{displayMessages.replaceText}</p>
      <FormActions form={form} action="Replace Screen" />
    </CommandForm>
  );
}

/** Dialog that changes a display. Only fields changed since the dialog was opened are sent. */
export function EditDialog({ display, onClose }: { display: Display; onClose: () => void }) {
  const { update } = useDisplayCommands();
  const [first] = useState<DisplayFields>(() => {
    const { name, view, allBuildings, buildingIds, settings } = display;
    return { name, view, allBuildings, buildingIds, settings };
  });
  const form = useCommandForm({
    blank: first,
    schema: updateSchema,
    input: (values) => ({ id: display.id, changes: changesOf(first, values) }),
    send: update,
    about: display.name,
    success: displayMessages.saved,
    failure: displayMessages.saveFailed,
    onSent: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={`Edit ${display.name}`}>
      <CommandForm form={form}>
        <DisplayFieldset form={form} />
        <FormActions
          form={form}
          action="Save"
          disabled={Object.keys(changesOf(first, form.values)).length === 0}
        />
      </CommandForm>
    </Dialog>
  );
}

function changesOf(before: DisplayFields, after: DisplayFields) {
  // The cast: Object.keys returns string[].
  const fields = Object.keys(before) as (keyof DisplayFields)[];
  return Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => [field, { from: before[field], to: after[field] }]),
  );
}
