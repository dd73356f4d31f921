import { createHash } from 'node:crypto';
import type { Clock } from '@binnacle/apimachinery/clock';
import { counterFacts, gaugeFacts, histogramFacts, type MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { IssuerObserver } from '../oidc/index.js';
import type { TokenCacheObserver } from '../reviewwebhooks/index.js';

/** Upstream: apiserver `plugin/pkg/authenticator/token/oidc/metrics.go`, release 1.36. */
export const tokenFacts = {
  latency: histogramFacts(
    'apiserver_authentication_jwt_authenticator_latency_seconds',
    'ALPHA',
    ['result', 'jwt_issuer_hash'],
    [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    'Latency of jwt authentication operations in seconds. This is the time spent authenticating a token for cache miss only (i.e. when the token is not found in the cache).',
  ),
};

const status = ['status'] as const;

/** Upstream: apiserver `pkg/authentication/token/cache/stats.go`, release 1.36, which has no help texts. */
export const tokenCacheFacts = {
  duration: histogramFacts(
    'authentication_token_cache_request_duration_seconds',
    'ALPHA',
    status,
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    'How long it took to authenticate tokens by the cache of webhook answers, in seconds, by hit and miss.',
  ),
  requests: counterFacts(
    'authentication_token_cache_request_total',
    'ALPHA',
    status,
    'Number of tokens that were looked up in the cache of webhook answers, by hit and miss.',
  ),
  fetches: counterFacts(
    'authentication_token_cache_fetch_total',
    'ALPHA',
    status,
    'Number of calls of the webhook for tokens that are not in the cache, by ok and error.',
  ),
  activeFetches: gaugeFacts(
    'authentication_token_cache_active_fetch_count',
    'ALPHA',
    status,
    'Number of calls of the webhook that are in_flight, and of requests that are blocked by them.',
  ),
};

/** Counts the use of a cache of tokens. */
export function tokenCacheMetrics(registry: MetricRegistry, clock: Clock): TokenCacheObserver {
  const durations = registry.histograms(tokenCacheFacts.duration);
  const requests = registry.numbers(tokenCacheFacts.requests);
  const fetches = registry.numbers(tokenCacheFacts.fetches);
  const active = registry.numbers(tokenCacheFacts.activeFetches);
  const answered = (found: 'hit' | 'miss', start: number): void => {
    requests.with(found).value++;
    durations.with(found).observe((clock.monotonic() - start) / 1000);
  };
  return {
    hit: () => answered('hit', clock.monotonic()),
    missed: () => {
      const start = clock.monotonic();
      active.with('blocked').value++;
      return () => {
        active.with('blocked').value--;
        answered('miss', start);
      };
    },
    fetching: () => {
      active.with('in_flight').value++;
      return (succeeded) => {
        active.with('in_flight').value--;
        fetches.with(succeeded ? 'ok' : 'error').value++;
      };
    },
  };
}

/** Times the tokens of configured issuers. */
export function tokenMetrics(registry: MetricRegistry): IssuerObserver {
  const latency = registry.histograms(tokenFacts.latency);
  return {
    examined: (issuer, result, seconds) => latency.with(result, hashOf(issuer)).observe(seconds),
  };
}

/** The label with which upstream names an issuer without showing it. */
function hashOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
