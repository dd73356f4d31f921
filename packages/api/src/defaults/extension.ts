import type { CustomResourceDefinition, ServiceReference } from '../generated/types/apiextensions-v1.js';
import { typeRule, type TypeRuleEntry } from './type-rule.js';
import { isEmpty, member } from './values.js';

function defaultCustomResourceDefinition(definition: CustomResourceDefinition): void {
  const spec = member(definition, 'spec');
  const names = member(spec, 'names');
  const kind = names.kind ?? '';
  if (isEmpty(names.singular) && kind !== '') names.singular = kind.toLowerCase();
  if (isEmpty(names.listKind) && kind !== '') names.listKind = `${kind}List`;
  spec.conversion ??= { strategy: 'None' };
  const status = member(definition, 'status');
  if (status.storedVersions && status.storedVersions.length > 0) return;
  const stored = spec.versions?.find((version) => version.storage);
  if (stored) status.storedVersions = [stored.name];
}

function defaultPort(reference: ServiceReference): void {
  reference.port ??= 443;
}

export const extensionDefaults: readonly TypeRuleEntry[] = [
  typeRule(
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
    defaultCustomResourceDefinition,
  ),
  typeRule('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference', defaultPort),
  typeRule('io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference', defaultPort),
];
