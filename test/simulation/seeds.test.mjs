import { playSeeds } from './play-seeds.mjs';

/** `more-seeds.process.test.mjs` and `npm run simulate -- --seeds 1000` play more. */
playSeeds(1, 10);
