import { useLocation } from 'react-router-dom';
import SignInPage from '../../features/session/sign-in-page.tsx';
import { targetOf } from '../safe-path.ts';
import { UnsentHereIfUsed } from '../unsent-here-if-used.tsx';

export default function SignIn() {
  return <SignInPage target={targetOf(useLocation().state)} notice={<UnsentHereIfUsed />} />;
}
