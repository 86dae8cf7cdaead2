import { ShieldAlert } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { noticeSummary } from '#shared/features/users/notice-summary.ts';
import type { AccountNotice } from '#shared/features/users/users.ts';

const ACCOUNT = '/account';

/** One line about notices of the person's own account, with a link to My Account, where they are read and dismissed. */
export default function NoticeBar({ notices }: { notices: readonly AccountNotice[] }) {
  if (useLocation().pathname === ACCOUNT) return null;
  return (
    <section
      aria-label="About your account"
      className="border-due border-b bg-due-soft px-4 text-due sm:px-6 print:hidden"
    >
      <p className="mx-auto flex max-w-[90rem] items-center gap-2 py-1.5">
        <ShieldAlert size={16} aria-hidden className="shrink-0" />
        <span className="min-w-0">{`${noticeSummary(notices)}.`}</span>
        <Link
          to={ACCOUNT}
          className="inline-flex items-center font-semibold underline underline-offset-2 pointer-coarse:min-h-12 pointer-coarse:-my-1.5 pointer-coarse:px-1"
        >
          Review
        </Link>
      </p>
    </section>
  );
}
