import { playSeeds } from './play-seeds.mjs';

/** `seeds-11-to-30.process.test.mjs`, the file of those after it, and `npm run simulate -- --seeds 1000` play more. */
playSeeds(1, 10);
