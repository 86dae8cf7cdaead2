import './styles.css';
import { codeAt } from './app/page-code.ts';
import { readSessionRecord } from './features/session/session-record.ts';
import { isSignedOutHere, loadSignOutMark } from './features/session/sign-out-mark.ts';
import { startEarlyRequest } from './lib/early-requests.ts';

// Run before the bulk of the code is here, so that everything comes side by side: that bulk, the page that the address
// names, and who is there. On a slow phone one after the other would be a second more.

// The validation library (zod, fetched later) would try to compile code, which the page's policy refuses and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
// What fails here fails again, and is told, when it is needed.
for (const fetchCode of codeAt(window.location.pathname)) fetchCode().catch(() => undefined);
void loadSignOutMark();
// In the words of the client that will ask it (lib/trpc.ts). Whoever has signed out here is not asked after.
const question = readSessionRecord() === undefined ? 'session.active' : 'session.me';
if (!isSignedOutHere()) startEarlyRequest(`/trpc/${question}`);
void import('./start.tsx');
