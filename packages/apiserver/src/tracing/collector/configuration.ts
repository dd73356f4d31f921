import { ConfigurationError, int32, kind, readConfiguration, text } from '@binnacle/apimachinery/configuration';
import { type FieldError, formatFieldErrors, invalidValue } from '@binnacle/apimachinery/status';

/** Which requests are recorded, and where their spans go. */
export interface TracingConfiguration {
  /** A gRPC target: `host:port`, `dns:///host:port`, `unix:///path` or `unix-abstract:name`. */
  readonly endpoint: string;
  /** How many of a million requests are recorded, besides those that bring a sampled trace of their own. */
  readonly samplingRatePerMillion: number;
}

const configuration = kind('v1.TracingConfiguration', { endpoint: text, samplingRatePerMillion: int32 });
/** The versions have the same fields. */
const kinds = new Map(
  ['v1', 'v1beta1', 'v1alpha1'].map((version) => [
    `apiserver.config.k8s.io/${version}/TracingConfiguration`,
    configuration,
  ]),
);

/** Where collectors listen. Upstream: the exporter's default. */
const ENDPOINT = 'localhost:4317';
const SCHEMES = ['dns', 'unix', 'unix-abstract'];
const MILLION = 1_000_000;

/**
 * Reads the text of a TracingConfiguration, YAML or JSON. Throws a {@link ConfigurationError} in upstream's words. Upstream:
 * component-base `tracing/api/v1/config.go`.
 */
export function readTracingConfiguration(source: string): TracingConfiguration {
  const read: Partial<TracingConfiguration> = readConfiguration(source, kinds);
  const { endpoint = ENDPOINT, samplingRatePerMillion = 0 } = read;
  const faults = [...rateFaults(samplingRatePerMillion), ...endpointFaults(endpoint)];
  if (faults.length > 0) {
    throw new ConfigurationError(`failed to validate tracing configuration: ${formatFieldErrors(faults)}`);
  }
  return { endpoint, samplingRatePerMillion };
}

function rateFaults(rate: number): readonly FieldError[] {
  const fault = (detail: string) => [invalidValue('samplingRatePerMillion', rate, `sampling rate ${detail}`)];
  if (rate < 0) return fault('must be positive');
  return rate > MILLION ? fault('per million must be less than or equal to one million') : [];
}

function endpointFaults(endpoint: string): readonly FieldError[] {
  const url = endpoint.includes('//') ? endpoint : `dns://${endpoint}`;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return [invalidValue('endpoint', url, 'it is not an address')];
  if (SCHEMES.includes(scheme)) return [];
  const options = 'Options are none, dns, unix, or unix-abstract.';
  const naming = 'See https://github.com/grpc/grpc/blob/master/doc/naming.md';
  return [invalidValue('endpoint', url, `unsupported scheme: ${scheme}.  ${options}  ${naming}`)];
}
