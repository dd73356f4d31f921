import { start } from '../../packages/binnacle/dist/index.js';

/**
 * Starts a server like the recorded one: empty, without control loops, and with the same range of service addresses.
 */
export const startServer = () =>
  start({
    inMemory: true,
    controllers: '',
    securePort: 0,
    serviceClusterIPRange: '10.0.0.0/24',
    serviceAccountIssuers: ['https://kubernetes.default.svc'],
  });

/** What a player needs of it. @returns {{ url: string, token: string }} */
export const accessOf = (server) => ({ url: server.url, token: server.clientConfig.token });
