import { lazyScreen } from '../../../lib/lazy-screen.tsx';

/** The second step of a sign-in, for pages that most people leave without it. */
export const LazySecondStep = lazyScreen(() => import('./second-step.tsx'));
