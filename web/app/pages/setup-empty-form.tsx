import { type FormEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { useSession } from '../../features/session/session-context.ts';
import { rememberSetupCode } from '../../features/users/setup-code.ts';
import { fieldErrorsOf, isShownAtFields, messageFor } from '../../lib/message-for.ts';
import { api } from '../../lib/trpc.ts';
import { useFocusFirstError } from '../../lib/use-focus-first-error.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { pages } from '../pages.ts';

const loadSchema = () => import('#shared/features/session.ts');

/** Form for the first person of an empty database. Signs in and opens User Management with the code filled in. */
export function SetupEmptyForm({ code }: { code: string }) {
  const { reload, beginAnew } = useSession();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});

  useFocusFirstError(form, errors, busy);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const entries = Object.fromEntries(new FormData(event.currentTarget));
    setBusy(true);
    try {
      const { setupInput } = await loadSchema();
      const parsed = setupInput.safeParse({ start: 'empty', code: code.trim(), ...entries });
      if (!parsed.success) {
        const found: Record<string, string> = {};
        for (const issue of parsed.error.issues) found[issue.path.join('.')] ??= issue.message;
        setErrors(found);
        return;
      }
      setErrors({});
      await beginAnew(() => api.session.setup.mutate(parsed.data));
      rememberSetupCode(code.trim());
      await reload();
      void navigate(pages.userManagement.path);
    } catch (error) {
      setErrors(fieldErrorsOf(error));
      if (isShownAtFields(error)) return;
      const text = messageFor(error, messages.session.setupFailed);
      toast({ title: messages.common.error, text, tone: 'destructive' });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} onFocus={() => void loadSchema()}>
      <fieldset disabled={busy} className="grid gap-3">
        <legend className="sr-only">The first person</legend>
        <TextField label="First name" name="firstName" autoComplete="given-name" error={errors.firstName} />
        <TextField label="Last name" name="lastName" autoComplete="family-name" error={errors.lastName} />
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          error={errors.email}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          error={errors.password}
        />
        <Button type="submit" disabled={busy || code.trim() === ''} className="mt-1">
          {busy ? 'Preparing...' : 'Start empty'}
        </Button>
      </fieldset>
    </form>
  );
}
