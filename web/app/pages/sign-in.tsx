import { useLocation } from 'react-router-dom';
import SignInPage from '../../features/session/sign-in-page.tsx';
import { UnsentHereIfUsed } from '../offline/unsent-here-if-used.tsx';
import { targetOf } from '../safe-path.ts';

export default function SignIn() {
  return <SignInPage target={targetOf(useLocation())} notice={<UnsentHereIfUsed />} />;
}
