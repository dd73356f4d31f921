import {
  ConfigurationError,
  kind,
  listOf,
  nested,
  readConfiguration,
  struct,
  text,
  texts,
} from '@binnacle/apimachinery/configuration';
import { formatFieldErrors, required } from '@binnacle/apimachinery/status';
import type { LimitedResource } from '../admission/index.js';

interface LimitedResourceEntry {
  readonly apiGroup?: string;
  readonly resource?: string;
  readonly matchContains?: readonly string[];
  readonly matchScopes?: readonly { scopeName?: string; operator?: string; values?: readonly string[] }[];
}

const scope = struct('v1.ScopedResourceSelectorRequirement', { scopeName: text, operator: text, values: texts });
const limited = struct('v1.LimitedResource', {
  apiGroup: text,
  resource: text,
  matchContains: texts,
  matchScopes: listOf(nested(scope)),
});
const configuration = kind('v1.Configuration', { limitedResources: listOf(nested(limited)) });
/** All versions have the same fields. The kind of the newest has another name. */
const kinds = new Map([
  ['apiserver.config.k8s.io/v1/ResourceQuotaConfiguration', configuration],
  ['resourcequota.admission.k8s.io/v1beta1/Configuration', configuration],
  ['resourcequota.admission.k8s.io/v1alpha1/Configuration', configuration],
]);

/** Throws a {@link ConfigurationError}. Upstream: apiserver `pkg/admission/plugin/resourcequota`. */
export function readLimitedResources(source: string): readonly LimitedResource[] {
  const read: { readonly limitedResources?: readonly LimitedResourceEntry[] } = readConfiguration(source, kinds);
  const entries = read.limitedResources ?? [];
  const errors = entries.flatMap(({ resource = '' }, index) =>
    resource === '' ? [required(`limitedResources[${index}].resource`, '')] : [],
  );
  if (errors.length > 0) throw new ConfigurationError(formatFieldErrors(errors));
  return entries.map(({ apiGroup = '', resource = '', matchContains = [], matchScopes = [] }) => ({
    resource: { group: apiGroup, resource },
    matchContains,
    matchScopes: matchScopes.map(({ scopeName = '', operator = '', values }) => ({ scopeName, operator, values })),
  }));
}
