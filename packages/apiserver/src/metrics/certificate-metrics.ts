import { counterFacts, histogramFacts, type MetricRegistry } from '@binnacle/apimachinery/metrics';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Upstream: apiserver `pkg/authentication/request/x509`, `pkg/endpoints/metrics`, release 1.36. */
export const certificateFacts = {
  remaining: histogramFacts(
    'apiserver_client_certificate_expiration_seconds',
    'ALPHA',
    [],
    [
      0,
      HOUR / 2,
      HOUR,
      2 * HOUR,
      6 * HOUR,
      DAY / 2,
      DAY,
      2 * DAY,
      4 * DAY,
      7 * DAY,
      30 * DAY,
      90 * DAY,
      180 * DAY,
      360 * DAY,
    ],
    'Distribution of the remaining lifetime on the certificate used to authenticate a request.',
  ),
  handshakeErrors: counterFacts(
    'apiserver_tls_handshake_errors_total',
    'ALPHA',
    [],
    "Number of requests dropped with 'TLS handshake error from' error",
  ),
};

export interface CertificateMetrics {
  /** A request came with a certificate that is valid for these seconds. */
  readonly presented: (seconds: number) => void;
  readonly handshakeFailed: () => void;
}

/** Measures the client certificates of requests, and counts handshakes that fail. */
export function certificateMetrics(registry: MetricRegistry): CertificateMetrics {
  const remaining = registry.histograms(certificateFacts.remaining);
  const handshakeErrors = registry.numbers(certificateFacts.handshakeErrors);
  return {
    presented: (seconds) => remaining.with().observe(seconds),
    handshakeFailed: () => void handshakeErrors.with().value++,
  };
}
