import { Database, UserPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { tell } from '../../forms/toasts.ts';
import { usePageTitle } from '../../lib/page-title.tsx';
import { queryClient } from '../../lib/trpc/query-client.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { trpc } from '../../lib/trpc/trpc-hooks.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Spinner } from '../../ui/feedback/spinner.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Logo } from '../../ui/logo.tsx';
import { pages } from '../pages.ts';
import { SetupEmptyForm } from './setup-empty-form.tsx';

type SampleAccounts = { accounts: { email: string; role: string }[]; password: string };

/** The page that an empty database's set-up link opens: start with sample data, or with a first person. */
export default function SetupPage() {
  return (
    <trpc.Provider client={api} queryClient={queryClient}>
      <Setup />
    </trpc.Provider>
  );
}

function Setup() {
  usePageTitle();
  const [params] = useSearchParams();
  const [code, setCode] = useState(params.get('code') ?? '');
  const [sample, setSample] = useState<SampleAccounts | null>(null);
  const state = trpc.session.setupState.useQuery();

  if (state.isPending) {
    return (
      <Frame>
        <Spinner />
      </Frame>
    );
  }
  if (state.isError) {
    return (
      <Frame>
        <ErrorState title={messages.common.notReached} onRetry={() => void state.refetch()} />
      </Frame>
    );
  }
  if (sample !== null) {
    return (
      <Frame>
        <Accounts {...sample} />
      </Frame>
    );
  }
  if (!state.data.needed) {
    return (
      <Frame>
        <p className="text-ink-2 text-md">{messages.session.setupDone}</p>
        <ButtonLink to={pages.signIn.path} variant="primary" size="lg">
          Sign In
        </ButtonLink>
      </Frame>
    );
  }
  return (
    <Frame>
      <p className="text-ink-2 text-md">{messages.session.setupIntro}</p>
      <div className="w-full max-w-sm text-left">
        <TextField
          label="One-time code"
          hint="It is part of the link that the server printed when it started."
          value={code}
          onChange={(event) => setCode(event.target.value)}
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={128}
        />
      </div>
      <div className="grid w-full gap-4 text-left md:grid-cols-2">
        <Choice
          icon={<Database size={20} />}
          title="Explore with sample data"
          text="A realistic sample portfolio, with one account for each role."
        >
          <ExploreButton code={code} onDone={setSample} />
        </Choice>
        <Choice
          icon={<UserPlus size={20} />}
          title="Start empty"
          text="Create your account, then make yourself administrator."
        >
          <SetupEmptyForm code={code} />
        </Choice>
      </div>
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <main className="mx-auto grid min-h-dvh max-w-3xl content-center justify-items-center gap-6 p-6 text-center">
      <Logo size={44} />
      <h1 className="font-semibold text-xl">Set up {messages.app.name}</h1>
      {children}
    </main>
  );
}

type ChoiceProps = { icon: ReactNode; title: string; text: string; children: ReactNode };

function Choice({ icon, title, text, children }: ChoiceProps) {
  return (
    <section className="flex flex-col gap-3 rounded-panel border border-line bg-surface p-5">
      <div className="grid size-10 place-items-center rounded-control bg-brand-soft text-brand" aria-hidden>
        {icon}
      </div>
      <div>
        <h2 className="font-semibold text-md">{title}</h2>
        <p className="text-ink-2">{text}</p>
      </div>
      {children}
    </section>
  );
}

function ExploreButton({ code, onDone }: { code: string; onDone: (sample: SampleAccounts) => void }) {
  const setup = trpc.session.setup.useMutation();

  async function start() {
    const started = setup.mutateAsync({ start: 'sample', code: code.trim() });
    const answer = await tell(started, { failure: messages.session.setupFailed });
    if (answer?.started === 'sample') onDone(answer);
  }

  return (
    <Button
      variant="primary"
      className="mt-auto"
      disabled={setup.isPending || code.trim() === ''}
      onClick={() => void start()}
    >
      {setup.isPending ? 'Preparing...' : 'Explore with sample data'}
    </Button>
  );
}

function Accounts({ accounts, password }: SampleAccounts) {
  return (
    <>
      <p className="text-ink-2 text-md">{messages.session.sampleReady}</p>
      <table className="w-full max-w-md rounded-panel border border-line bg-surface text-left">
        <caption className="sr-only">Sample accounts</caption>
        <thead>
          <tr className="border-line border-b text-ink-2 text-sm">
            <th className="px-4 py-2 font-medium">Role</th>
            <th className="px-4 py-2 font-medium">Email</th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <tr key={account.email} className="border-line border-b last:border-0">
              <td className="px-4 py-2 capitalize">{account.role}</td>
              <td className="px-4 py-2 font-medium [overflow-wrap:anywhere]">{account.email}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        Password: <code className="rounded-tag bg-mute px-1.5 py-0.5 font-medium">{password}</code>
      </p>
      <ButtonLink to={pages.signIn.path} variant="primary" size="lg">
        Sign In
      </ButtonLink>
    </>
  );
}
