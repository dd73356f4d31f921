import { systemClock } from '@binnacle/apimachinery/clock';
import type { ClientConfig } from '../kubeconfig/index.js';
import { withAuthentication } from './authentication.js';
import { withCompression } from './compression.js';
import { ConnectionPool } from './connection-pool.js';
import { type Dial, dialer } from './dial.js';
import type { Transport } from './exchange.js';
import { type TransportOptions, transportOver } from './transport-over.js';

export interface ConnectOptions extends TransportOptions {
  /** Opens a connection. Default: as the configuration says. */
  readonly dial?: Dial;
}

/** A transport to the server of a configuration. It connects at the first request. */
export function connect(config: ClientConfig, options: ConnectOptions = {}): Transport {
  const { clock = systemClock } = options;
  const server = new URL(config.server);
  const prefix = server.pathname.replace(/\/+$/, '');
  const pool = new ConnectionPool(options.dial ?? dialer(config, clock), server.host, clock);
  const authenticated = withAuthentication(
    (request, sendOptions, as) => pool.send({ ...request, path: prefix + request.path }, sendOptions, as),
    config,
  );
  const impersonate = options.impersonate ?? config.impersonate;
  return transportOver(config.disableCompression === true ? authenticated : withCompression(authenticated), {
    ...options,
    ...(impersonate === undefined ? {} : { impersonate }),
    close: async () => pool.close(),
  });
}
