import {
  ConfigurationError,
  int32,
  kind,
  listOf,
  nested,
  readConfiguration,
  struct,
  text,
} from '@binnacle/apimachinery/configuration';
import { type FieldError, formatFieldErrors, invalidValue, notSupported } from '@binnacle/apimachinery/status';
import { EVENT_LIMIT_TYPES, type EventLimit } from '../admission/index.js';

interface LimitEntry {
  readonly type?: string;
  readonly qps?: number;
  readonly burst?: number;
  readonly cacheSize?: number;
}

const limit = struct('v1alpha1.Limit', { type: text, qps: int32, burst: int32, cacheSize: int32 });
const kinds = new Map([
  [
    'eventratelimit.admission.k8s.io/v1alpha1/Configuration',
    kind('v1alpha1.Configuration', { limits: listOf(nested(limit)) }),
  ],
]);

/** Upstream: `defaultCacheSize`. */
const CACHE_SIZE = 4096;

/** Throws a {@link ConfigurationError}. Upstream: `plugin/pkg/admission/eventratelimit/apis/eventratelimit/validation`. */
export function readEventLimits(source: string): readonly EventLimit[] {
  const { limits = [] }: { readonly limits?: readonly LimitEntry[] } = readConfiguration(source, kinds);
  const errors: FieldError[] = [];
  if (limits.length === 0) errors.push(invalidValue('limits', [], 'must not be empty'));
  const read = limits.flatMap((entry, index) => readLimit(entry, `limits[${index}]`, errors) ?? []);
  if (errors.length > 0) throw new ConfigurationError(formatFieldErrors(errors));
  return read;
}

function readLimit(
  { type: name = '', qps = 0, burst = 0, cacheSize = 0 }: LimitEntry,
  path: string,
  errors: FieldError[],
): EventLimit | undefined {
  const type = EVENT_LIMIT_TYPES.find((each) => each === name);
  if (type === undefined) errors.push(notSupported(`${path}.type`, name, EVENT_LIMIT_TYPES));
  if (burst <= 0) errors.push(invalidValue(`${path}.burst`, burst, 'must be positive'));
  if (qps <= 0) errors.push(invalidValue(`${path}.qps`, qps, 'must be positive'));
  if (type !== 'Server' && cacheSize < 0) {
    errors.push(invalidValue(`${path}.cacheSize`, cacheSize, 'must not be negative'));
  }
  return type && { type, qps, burst, cacheSize: cacheSize || CACHE_SIZE };
}
