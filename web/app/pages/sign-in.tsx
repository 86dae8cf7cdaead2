import SignInPage from '../../features/session/sign-in-page.tsx';
import { toSafePath } from '../safe-path.ts';
import { UnsentHereIfUsed } from '../unsent-here-if-used.tsx';

export default function SignIn() {
  return <SignInPage toSafePath={toSafePath} notice={<UnsentHereIfUsed />} />;
}
