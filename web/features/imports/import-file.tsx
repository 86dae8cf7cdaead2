import { CircleAlert, CircleCheck, Download, FileUp } from 'lucide-react';
import { useRef } from 'react';
import {
  countRows,
  IMPORTS,
  type ImportCheck,
  type ImportKind,
  templateOf,
} from '#shared/features/imports/imports.vocabulary.ts';
import { IMPORT_LEAVES, importMessages } from '#shared/features/imports/imports-messages.ts';
import { plural } from '#shared/text/plural.ts';
import { saveTextFile } from '../../lib/save-text-file.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { ImportRows } from './import-rows.tsx';
import { csvOfLinks } from './person-links.ts';
import { type ImportState, useImport } from './use-import.ts';

/** Import of one kind: template, file selection, validation result, progress and outcome. */
export function ImportFile({ kind }: { kind: ImportKind }) {
  const { state, choose, run, remake, again, saved, reset } = useImport(kind);
  const input = useRef<HTMLInputElement>(null);
  const added = state.step === 'checked' ? countRows(state.check.rows).added : 0;
  const busy = state.step === 'checking' || state.step === 'running';

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        aria-label="CSV file"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // Reset, so that the same file can be selected again after it has been corrected.
          event.target.value = '';
          if (file !== undefined) void choose(file);
        }}
      />
      <div className="flex flex-wrap items-center gap-2.5">
        <Button variant="primary" disabled={busy} onClick={() => input.current?.click()}>
          <FileUp size={16} aria-hidden />
          {state.step === 'choose' || state.step === 'done' ? 'Choose file' : 'Choose another file'}
        </Button>
        <Button onClick={() => saveTextFile(`${kind}-template.csv`, 'text/csv', templateOf(kind))}>
          <Download size={16} aria-hidden />
          Download template
        </Button>
        <p className="text-ink-2">{importMessages.allOrNothing}</p>
      </div>

      {state.step === 'choose' && state.error !== undefined && <Fault text={state.error} />}
      {state.step === 'choose' && <Columns kind={kind} />}
      {state.step === 'checking' && (
        <div className="grid gap-2" aria-busy>
          <p className="text-ink-2">Checking {state.name}…</p>
          <Skeleton className="h-10" />
          <Skeleton className="h-64" />
        </div>
      )}
      {state.step === 'checked' && (
        <>
          {state.error !== undefined && <Fault text={state.error} />}
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="font-medium text-ink" aria-live="polite">
              {aboutCheck(state.check)}
              <span className="block font-normal text-ink-2 text-sm">{state.name}</span>
              {state.check.passedOver.length > 0 && (
                <span className="block font-normal text-ink-2 text-sm">
                  {importMessages.passedOver(state.check.passedOver)}
                </span>
              )}
            </p>
            <div className="flex gap-2.5">
              <Button onClick={again}>Check again</Button>
              {(added > 0 || state.check.faulty > 0) && (
                <Button
                  variant="primary"
                  disabled={state.check.faulty > 0}
                  onClick={() => void run(state.name, state.check)}
                >
                  Import {plural(added, 'row')}
                </Button>
              )}
            </div>
          </div>
          <ImportRows check={state.check} />
        </>
      )}
      {state.step === 'running' && (
        <Card className="grid gap-2 p-4">
          <p className="font-medium text-ink">Importing {state.name}…</p>
          <progress
            aria-label="Rows imported"
            value={state.done}
            max={state.total}
            className="h-2 w-full accent-brand"
          />
          <p className="text-ink-2 tabular-nums">{importMessages.underWay(state.done, state.total)}</p>
        </Card>
      )}
      {state.step === 'done' && (
        <EmptyState
          icon={<CircleCheck size={20} />}
          title={importMessages.outcome(state)}
          text={aboutDone(state)}
          action={
            <div className="flex flex-wrap justify-center gap-2.5">
              {state.links.length > 0 && (
                <Button
                  variant="primary"
                  onClick={() => {
                    saveTextFile('people-links.csv', 'text/csv', csvOfLinks(state.links));
                    saved();
                  }}
                >
                  <Download size={16} aria-hidden />
                  Download the links
                </Button>
              )}
              {(state.lost || state.unmailed > 0) && remake !== undefined && (
                <Button variant="primary" onClick={() => void remake(state.name, state)}>
                  {state.lost ? 'Make new links' : 'Send the invitations again'}
                </Button>
              )}
              <Button disabled={state.links.length > 0 && !state.saved} onClick={reset}>
                Import another file
              </Button>
            </div>
          }
        />
      )}
    </div>
  );
}

function aboutCheck({ rows, faulty }: ImportCheck): string {
  if (faulty > 0) return importMessages.faulty(faulty);
  const { added, ...skipped } = countRows(rows);
  if (added === 0) return importMessages.nothingNew(skipped);
  const noted = rows.filter(({ note }) => note !== null).length;
  const also = noted === 0 ? '' : importMessages.noted(noted);
  return [importMessages.ready(added), importMessages.skipped(skipped), also].filter(Boolean).join(' ');
}

function aboutDone(done: Extract<ImportState, { step: 'done' }>): string {
  const { count, skipped } = done;
  const also = count > 0 && skipped !== undefined ? importMessages.skipped(skipped) : '';
  return [also, aboutLinks(done)].join(' ').trim();
}

function aboutLinks({ name, links, mailed, unmailed, lost }: Extract<ImportState, { step: 'done' }>): string {
  if (lost) return importMessages.linksLost;
  if (links.length > 0) return importMessages.linksOnce;
  const said = [
    mailed > 0 ? importMessages.mailed(mailed) : '',
    unmailed > 0 ? importMessages.notMailed(unmailed) : '',
  ];
  return said.join(' ').trim() || name;
}

function Fault({ text }: { text: string }) {
  return (
    <p role="alert" className="flex items-start gap-2 rounded-card bg-bad-soft px-3.5 py-2.5 text-bad">
      <CircleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
      {text}
    </p>
  );
}

/** The columns that the file may have. */
function Columns({ kind }: { kind: ImportKind }) {
  return (
    <Card className="overflow-hidden">
      <table className="w-full text-left text-sm">
        <caption className="px-3.5 py-2.5 text-left font-medium text-base text-ink">
          Columns of the file, in any order
        </caption>
        <tbody>
          {IMPORTS[kind].columns.map(({ name, required, hint }) => (
            <tr key={name} className="border-line border-t">
              <th scope="row" className="w-40 max-sm:w-32 px-3.5 py-2 align-top font-medium text-ink">
                {name}
                {required === true && <span className="block font-normal text-ink-3 text-xs">required</span>}
              </th>
              <td className="px-3.5 py-2 text-ink-2 [overflow-wrap:anywhere]">{hint}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="border-line border-t px-3.5 py-2.5 text-ink-2 text-sm">
        {importMessages.exported} {IMPORT_LEAVES[kind]}
      </p>
    </Card>
  );
}
