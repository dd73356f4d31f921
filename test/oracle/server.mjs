import { start } from '../../packages/binnacle/dist/index.js';

/**
 * A server as the scenarios want it: empty, without control loops, as the recorded one was, and with the range of service addresses that the
 * recordings were made with.
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
