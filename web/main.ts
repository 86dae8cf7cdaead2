import './styles.css';
import { codeAt } from './app/page-code.ts';
import { readSessionRecord } from './features/session/session-record.ts';
import { isSignedOutHere, loadSignOutMark } from './features/session/sign-out-mark.ts';
import { startEarlyRequest } from './lib/trpc/early-requests.ts';

// Runs before the main code has loaded, so that three requests run in parallel: that code, the page of the address, and
// the signed-in person. On a slow phone, one after the other would take a second longer.

// The validation library (zod, fetched later) would try to compile code, which the page's policy refuses and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
// A failed import is repeated, and reported, when the code is needed.
for (const fetchCode of codeAt(window.location.pathname)) fetchCode().catch(() => undefined);
void loadSignOutMark();
// The same address as the client's later request (lib/trpc/trpc.ts). After a sign-out on this device, `session.me` is not sent.
const question = readSessionRecord() === undefined ? 'session.active' : 'session.me';
if (!isSignedOutHere()) startEarlyRequest(`/trpc/${question}`);
void import('./start.tsx');
