import { useSearchParams } from 'react-router-dom';
import { SIGN_IN_PROBLEMS, type SignInOptions } from '#shared/features/users/sign-in.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';

/** Reason why a person is not signed in. `isStep`: not an error; signing in with the password is the next step. */
export type SignInObstacle = { provider: string; text: string; isStep: boolean };

/**
 * Returns the reason why a sign-in at a provider has not started a session, from the query of the page's URL.
 */
export function useSignInProblem(options: SignInOptions | undefined): SignInObstacle | undefined {
  const [params] = useSearchParams();
  const problem = SIGN_IN_PROBLEMS.find((one) => one === params.get('problem'));
  const provider = options?.providers.find(({ id }) => id === params.get('provider'));
  // Shows only names of configured providers, so that a crafted URL cannot display a text of its own.
  if (problem === undefined || provider === undefined) return undefined;
  return {
    provider: provider.id,
    text: signInMessages.problems[problem](provider.name),
    isStep: problem === 'confirm',
  };
}
