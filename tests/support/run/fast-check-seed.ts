import fc from 'fast-check';
import { seedNumber } from '../random.ts';

// Runs before each test file: fast-check starts each of its runs with this seed, and reports it with a failure.
fc.configureGlobal({ seed: seedNumber('fast-check') });
