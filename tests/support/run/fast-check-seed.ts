import fc from 'fast-check';
import { seedNumber } from '../random.ts';

// Before each test file: fast-check begins each of its runs with this seed, and tells it with what it found.
fc.configureGlobal({ seed: seedNumber('fast-check') });
