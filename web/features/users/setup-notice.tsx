import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { rememberedSetupCode } from './setup-code.ts';

/** Notice shown in Setup Mode, while there is no administrator, with a field for the code that the server printed. */
export function SetupNotice({ onCode }: { onCode: (code: string | undefined) => void }) {
  const [params] = useSearchParams();
  const [code, setCode] = useState(() => params.get('code') ?? rememberedSetupCode());

  useEffect(() => onCode(code.trim() === '' ? undefined : code.trim()), [code, onCode]);

  return (
    <section
      aria-labelledby="setup-title"
      className="grid gap-3 rounded-card border border-due bg-due-soft p-4 sm:grid-cols-[1fr_18rem] sm:items-center"
    >
      <div className="flex gap-3 text-due">
        <TriangleAlert size={20} aria-hidden className="mt-0.5" />
        <div>
          <h2 id="setup-title" className="font-semibold text-md">
            {userMessages.setupMode}
          </h2>
          <p>{userMessages.setupModeText}</p>
        </div>
      </div>
      <TextField
        label="One-time code"
        hint="The server printed it when it started."
        value={code}
        onChange={(event) => setCode(event.target.value)}
        autoComplete="one-time-code"
        spellCheck={false}
      />
    </section>
  );
}
