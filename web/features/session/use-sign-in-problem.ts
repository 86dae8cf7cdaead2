import { useSearchParams } from 'react-router-dom';
import { SIGN_IN_PROBLEMS, type SignInOptions } from '#shared/features/users/sign-in.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';

/** What keeps a person from a session. `isStep`: nothing is wrong, the password is the next step. */
export type SignInObstacle = { provider: string; text: string; isStep: boolean };

/**
 * Why the person has come back from a provider without a session, from the address of the page.
 */
export function useSignInProblem(options: SignInOptions | undefined): SignInObstacle | undefined {
  const [params] = useSearchParams();
  const problem = SIGN_IN_PROBLEMS.find((one) => one === params.get('problem'));
  const provider = options?.providers.find(({ id }) => id === params.get('provider'));
  // Without a name of the provider's own, anyone could make up an address with a sentence of theirs.
  if (problem === undefined || provider === undefined) return undefined;
  return {
    provider: provider.id,
    text: signInMessages.problems[problem](provider.name),
    isStep: problem === 'confirm',
  };
}
