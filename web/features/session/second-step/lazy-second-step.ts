import { lazyScreen } from '../../../lib/lazy-screen.tsx';

/** The second step of a sign-in, loaded on demand, because most people do not need it. */
export const LazySecondStep = lazyScreen(() => import('./second-step.tsx'));
