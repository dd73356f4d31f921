/**
 * A process of its own measures no coverage, which would slow a simulation down by a fifth. The seeds after these have another process,
 * for the other core.
 */
import { isThorough } from '../thorough.mjs';
import { playSeeds } from './play-seeds.mjs';

const isWanted = isThorough || process.env.CI !== undefined;
playSeeds(11, 30, isWanted ? false : '`npm run test:thorough` and CI play them');
