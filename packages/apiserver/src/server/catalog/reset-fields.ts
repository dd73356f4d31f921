import type { ResourceFacts } from '@binnacle/api/table';
import { ANY, emptyFieldSet, type FieldPattern, FieldSet, fieldElement } from '@binnacle/apimachinery/managedfields';
import { formatGroupResource } from '@binnacle/apimachinery/meta';
import type { PathRules } from '../../endpoints/index.js';

/** The fields that a write to an object with a status subresource cannot set. */
const statusFields: FieldSet = fields('status');

/** The fields that a write to the status cannot set. */
const specFields: FieldSet = fields('spec');

const specAndMetadata = except('metadata', 'spec');

/**
 * The rules of resources and subresources that differ from the default, by `resource.group/subresource`. Upstream: each kind's
 * `GetResetFields` and `GetResetFieldsFilter`.
 */
const rules: ReadonlyMap<string, PathRules> = new Map([
  ['certificatesigningrequests.certificates.k8s.io/', except('spec', 'status')],
  ['certificatesigningrequests.certificates.k8s.io/approval', except('spec', 'status.certificate')],
  ['certificatesigningrequests.certificates.k8s.io/status', except('spec', 'status.conditions')],
  ['customresourcedefinitions.apiextensions.k8s.io/status', specAndMetadata],
  ['deployments.apps/status', except('spec', 'metadata.labels')],
  ['devicetaintrules.resource.k8s.io/status', specAndMetadata],
  ['flowschemas.flowcontrol.apiserver.k8s.io/status', specAndMetadata],
  ['namespaces/finalize', except('status')],
  ['pods/ephemeralcontainers', only('spec.ephemeralContainers')],
  [
    'pods/resize',
    only(
      ...['containers', 'initContainers'].flatMap((list) => [
        `spec.${list}.*.resources`,
        `spec.${list}.*.resizePolicy`,
      ]),
    ),
  ],
  ['pods/status', except('spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences')],
  ['prioritylevelconfigurations.flowcontrol.apiserver.k8s.io/status', specAndMetadata],
  ['resourceclaims.resource.k8s.io/status', specAndMetadata],
  ['servicecidrs.networking.k8s.io/status', specAndMetadata],
  ['storageversionmigrations.storagemigration.k8s.io/status', specAndMetadata],
  ['storageversions.internal.apiserver.k8s.io/status', specAndMetadata],
  ['validatingadmissionpolicies.admissionregistration.k8s.io/status', specAndMetadata],
  ['volumeattachments.storage.k8s.io/status', specAndMetadata],
]);

/** The fields that a client can set through a resource ('') or a subresource. */
export function fieldRulesOf(facts: ResourceFacts, subresource: string): PathRules {
  const own = rules.get(`${formatGroupResource(facts)}/${subresource}`);
  if (own !== undefined) return own;
  if (subresource === 'status') return { resetFields: specFields };
  return { resetFields: subresource === '' && hasStatus(facts) ? statusFields : emptyFieldSet };
}

function hasStatus(facts: ResourceFacts): boolean {
  return facts.subresources?.some((subresource) => subresource.name === 'status') === true;
}

function except(...paths: readonly string[]): PathRules {
  return { resetFields: fields(...paths) };
}

function only(...paths: readonly string[]): PathRules {
  return { resetFields: emptyFieldSet, settableFields: paths.map(patternOf) };
}

function fields(...paths: readonly string[]): FieldSet {
  return FieldSet.of(...paths.map(patternOf));
}

function patternOf(path: string): FieldPattern {
  return path.split('.').map((name) => (name === ANY ? ANY : fieldElement(name)));
}
