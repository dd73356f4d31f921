import { type Clock, type RateLimit, systemClock, TokenBucket } from '../clock/index.js';
import type { ClientConfig, Impersonation } from '../kubeconfig/index.js';
import { withAuthentication } from './authentication.js';
import { withCompression } from './compression.js';
import { ConnectionPool } from './connection-pool.js';
import { type Dial, dialer } from './dial.js';
import type { Send, Transport } from './exchange.js';
import { withRateLimit } from './rate-limit.js';
import { withRetry } from './retry.js';
import { withStandingHeaders } from './standing-headers.js';
import { withTimeout } from './timeout.js';
import { warnOnce, type WarningHandler, withWarnings } from './warnings.js';

export interface ConnectOptions {
  /** Default: none; the server has its own. */
  readonly rateLimit?: RateLimit;
  /** Default: {@link warnOnce}. */
  readonly onWarning?: WarningHandler;
  /** Name of the program, in the server's logs and as default field manager. Default: `binnacle-client`. */
  readonly userAgent?: string;
  /** Counts before the configuration's. */
  readonly impersonate?: Impersonation;
  readonly clock?: Clock;
  /** How to make a connection. Default: as the configuration says. */
  readonly dial?: Dial;
}

/** A transport to the server of a configuration. Nothing is connected until the first request. */
export function connect(config: ClientConfig, options: ConnectOptions = {}): Transport {
  const { clock = systemClock, rateLimit } = options;
  const server = new URL(config.server);
  const prefix = server.pathname.replace(/\/+$/, '');
  const pool = new ConnectionPool(options.dial ?? dialer(config, clock), server.host, clock);

  const compressed = config.disableCompression !== true;
  const layers: ((next: Send) => Send)[] = [
    (next) => withTimeout(next, clock),
    (next) => withRetry(next, clock),
    ...(rateLimit === undefined ? [] : [limiter(rateLimit, clock)]),
    (next) =>
      withStandingHeaders(next, options.userAgent ?? 'binnacle-client', options.impersonate ?? config.impersonate),
    (next) => withWarnings(next, options.onWarning ?? warnOnce()),
    ...(compressed ? [withCompression] : []),
  ];
  const innermost = withAuthentication(
    (request, sendOptions, as) => pool.send({ ...request, path: prefix + request.path }, sendOptions, as),
    config,
  );
  const send = layers.reduceRight((next, layer) => layer(next), innermost);
  const close = async () => pool.close();
  return {
    send: async (request, sendOptions = {}) => send(request, sendOptions),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function limiter(rateLimit: RateLimit, clock: Clock): (next: Send) => Send {
  const bucket = new TokenBucket(rateLimit, clock);
  return (next) => withRateLimit(next, bucket);
}
