import { objectAt, templateField, templateResources } from '@binnacle/api/pods';
import type { Pod, PodSpec } from '@binnacle/api/types/core-v1';
import {
  asJson,
  asKind,
  formatGroupResource,
  type KubernetesObject,
  type ObjectMeta,
} from '@binnacle/apimachinery/meta';
import { invalid } from '@binnacle/apimachinery/status';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { AdmissionAttributes, AdmissionPlugin } from '../../plugin.js';
import { refusal } from '../../refuse.js';
import { describeFindings, evaluatePod } from './evaluate.js';
import { warningsOfPods } from './existing-pods.js';
import { formatLevel, isStricter, policyOf, sameLevel } from './policy.js';

export interface PodSecuritySource {
  /** The labels of a namespace; empty when the namespace does not exist. */
  namespaceLabels(name: string): Promise<Readonly<Record<string, string>>>;
  pods(namespace: string): Promise<readonly Readonly<Pod>[]>;
}

interface Template {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
}

/** Subresources of pods that do not affect how the pods run. */
const HARMLESS: ReadonlySet<string> = new Set(['binding', 'eviction', 'status']);

/**
 * Enforces the level of the namespace's labels on pods, and warns about workloads.
 * Upstream: `plugin/pkg/admission/security/podsecurity`, pod-security-admission `admission`.
 */
export function podSecurity(source: PodSecuritySource): AdmissionPlugin {
  return {
    name: 'PodSecurity',
    resources: ['namespaces', 'pods', ...templateResources],
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate(attributes) {
      const { object, subresource } = attributes;
      if (object === undefined) return;
      const resource = formatGroupResource(attributes.resource);
      if (resource === 'namespaces') return subresource === '' ? checkNamespace(attributes, object) : undefined;
      if (resource === 'pods') return HARMLESS.has(subresource) ? undefined : checkPod(attributes, object);
      const field = subresource === '' ? templateField(resource) : undefined;
      const template = field === undefined ? undefined : objectAt(asJson(object), field);
      return template === undefined ? undefined : checkTemplate(attributes, template);
    },
  };

  async function checkNamespace(attributes: AdmissionAttributes, object: KubernetesObject): Promise<void> {
    const { policy, errors } = policyOf(object.metadata.labels);
    const old = attributes.oldObject;
    const before = old === undefined ? undefined : policyOf(old.metadata.labels);
    if (errors.length > 0 && !(before !== undefined && semanticEqual(errors, before.errors))) {
      throw invalid({ group: '', kind: 'Namespace' }, object.metadata.name ?? '', errors);
    }
    if (before === undefined || policy.enforce.level === 'privileged') return;
    const { enforce } = before.policy;
    if (sameLevel(policy.enforce, enforce)) return;
    if (policy.enforce.minor === enforce.minor && !isStricter(policy.enforce.level, enforce.level)) return;
    const name = object.metadata.name ?? '';
    for (const text of warningsOfPods(name, await source.pods(name), policy.enforce)) attributes.warn(text);
  }

  async function checkPod(attributes: AdmissionAttributes, object: KubernetesObject): Promise<void> {
    const { policy } = policyOf(await source.namespaceLabels(attributes.namespace));
    const { metadata, spec } = asKind<Pod>(object);
    if (spec === undefined) return;
    const old = asKind<Pod>(attributes.oldObject);
    if (old?.spec !== undefined && !changesImages(spec, old.spec)) return;
    const findings = evaluatePod(policy.enforce, metadata, spec);
    if (findings.length > 0) {
      const why = `violates PodSecurity "${formatLevel(policy.enforce)}": ${describeFindings(findings)}`;
      throw refusal(attributes, why);
    }
    warn(attributes, policy.warn, metadata, spec);
  }

  async function checkTemplate(attributes: AdmissionAttributes, { metadata, spec }: Template): Promise<void> {
    if (spec === undefined) return;
    const { policy } = policyOf(await source.namespaceLabels(attributes.namespace));
    warn(attributes, policy.warn, metadata, spec);
  }
}

function warn(
  attributes: AdmissionAttributes,
  level: Parameters<typeof evaluatePod>[0],
  metadata: ObjectMeta | undefined,
  spec: PodSpec,
): void {
  const findings = evaluatePod(level, metadata, spec);
  if (findings.length === 0) return;
  attributes.warn(`would violate PodSecurity "${formatLevel(level)}": ${describeFindings(findings)}`);
}

/** The other relevant fields of an existing pod are immutable. */
function changesImages(spec: PodSpec, old: PodSpec): boolean {
  const images = (containers: PodSpec['containers'] | undefined) => (containers ?? []).map(({ image }) => image);
  if (!semanticEqual(images(spec.containers), images(old.containers))) return true;
  if (!semanticEqual(images(spec.initContainers), images(old.initContainers))) return true;
  return (spec.ephemeralContainers ?? []).some(({ name, image }) => {
    const before = (old.ephemeralContainers ?? []).find((each) => each.name === name);
    return before === undefined || before.image !== image;
  });
}
