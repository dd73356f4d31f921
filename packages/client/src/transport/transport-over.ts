import { type Clock, type RateLimit, systemClock, TokenBucket } from '@binnacle/apimachinery/clock';
import type { Impersonation } from '../kubeconfig/index.js';
import { withDefaultHeaders } from './default-headers.js';
import type { Send, Transport } from './exchange.js';
import { type TransportObserver, withObserver } from './observe.js';
import { withRetry } from './retry.js';
import { withTimeout } from './timeout.js';
import { type WarningHandler, warnOnce, withWarnings } from './warnings.js';

/** Delays requests until the bucket has a token for them. */
export function withRateLimit(next: Send, bucket: TokenBucket): Send {
  return async (request, options) => {
    await bucket.take(options.signal);
    return next(request, options);
  };
}

export interface TransportOptions {
  /** Default: none; servers have their own limits. */
  readonly rateLimit?: RateLimit;
  /** Default: {@link warnOnce}. */
  readonly onWarning?: WarningHandler;
  /** Appears in the server's logs; its first part is the default field manager. Default: `binnacle-client`. */
  readonly userAgent?: string;
  /** Takes precedence over the configuration's. */
  readonly impersonate?: Impersonation;
  readonly clock?: Clock;
  readonly observer?: TransportObserver | undefined;
}

/**
 * A transport over a function that sends one request, for example to a server in the same process. `close` ends running requests.
 */
export function transportOver(
  innermost: Send,
  options: TransportOptions & { readonly close?: () => Promise<void> } = {},
): Transport {
  const { clock = systemClock, rateLimit, observer, close = async () => undefined } = options;
  const layers: ((next: Send) => Send)[] = [
    (next) => withTimeout(next, clock),
    (next) => withRetry(next, clock, observer),
    ...(rateLimit === undefined ? [] : [limiter(rateLimit, clock)]),
    (next) => withDefaultHeaders(next, options.userAgent ?? 'binnacle-client', options.impersonate),
    (next) => withWarnings(next, options.onWarning ?? warnOnce()),
    ...(observer === undefined ? [] : [(next: Send) => withObserver(next, observer, clock)]),
  ];
  const send = layers.reduceRight((next, layer) => layer(next), innermost);
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
