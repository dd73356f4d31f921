import { ConfigurationError, kind, listOf, nested, readConfiguration } from '@binnacle/apimachinery/configuration';
import { formatFieldErrors } from '@binnacle/apimachinery/status';
import { schemaOf } from '@binnacle/api/table';
import type { Toleration } from '@binnacle/api/types/core-v1';
import { validateTolerations } from '@binnacle/api/validation';
import type { TolerationSettings } from '../admission/index.js';

/** Throws a {@link ConfigurationError}. Upstream: `plugin/pkg/admission/podtolerationrestriction/apis`. */
export function readTolerations(source: string): TolerationSettings {
  const list = listOf(nested(schemaOf('io.k8s.api.core.v1.Toleration')));
  const kinds = new Map([
    [
      'podtolerationrestriction.admission.k8s.io/v1alpha1/Configuration',
      kind('v1alpha1.Configuration', { default: list, whitelist: list }),
    ],
  ]);
  const read: { readonly default?: Toleration[]; readonly whitelist?: Toleration[] } = readConfiguration(source, kinds);
  const errors = [
    ...validateTolerations(read.default, 'podtolerationrestriction.default'),
    ...validateTolerations(read.whitelist, 'podtolerationrestriction.whitelist'),
  ];
  if (errors.length > 0)
    throw new ConfigurationError(`invalid config: [${errors.map((error) => formatFieldErrors([error])).join(' ')}]`);
  return { default: read.default ?? [], whitelist: read.whitelist ?? [] };
}
