import { seededRandom } from '@binnacle/apimachinery/clock';
import { assemble } from '../../packages/binnacle/dist/embed/assemble.js';
import { defaultParts } from '../../packages/binnacle/dist/embed/start.js';

/** A scenario names an address that the server must not choose by chance. */
const SEED = 1;

/**
 * Starts a server like the recorded one: empty, without control loops, and with the same range of service addresses.
 */
export const startServer = () =>
  assemble(
    {
      inMemory: true,
      controllers: '',
      securePort: 0,
      serviceClusterIPRange: '10.0.0.0/24',
      serviceAccountIssuers: ['https://kubernetes.default.svc'],
    },
    { ...defaultParts, random: seededRandom(SEED) },
  );

/** What a player needs of it. @returns {{ url: string, token: string }} */
export const accessOf = (server) => ({ url: server.url, token: server.clientConfig.token });
