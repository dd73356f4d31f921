import { createHash } from 'node:crypto';
import { histogramFacts, type MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { IssuerObserver } from '../oidc/index.js';

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

/** Times the tokens of configured issuers. */
export function tokenMetrics(registry: MetricRegistry): IssuerObserver {
  const latency = registry.histograms(tokenFacts.latency);
  return {
    examined: (issuer, result, seconds) => latency.with(result, hashOf(issuer)).observe(seconds),
  };
}

/** As upstream labels texts that it does not show. */
function hashOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
