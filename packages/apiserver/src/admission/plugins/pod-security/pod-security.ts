import { objectAt, templateField, templateResources } from '@binnacle/api/pods';
import type { Pod, PodSpec } from '@binnacle/api/types/core-v1';
import { asJson, asKind, formatGroupResource, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { invalid } from '@binnacle/apimachinery/status';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { AdmissionAttributes, AdmissionPlugin } from '../../plugin.js';
import { ANNOTATION_PREFIX, applyPolicy, type PodForm } from './apply-policy.js';
import { warningsOfPods } from './existing-pods.js';
import { DEFAULT_SETTINGS, exemptNamespaceWarning, type PodSecuritySettings } from './exemptions.js';
import type { PodSecurityObserver } from './observer.js';
import {
  formatLevel,
  isPrivileged,
  isStricter,
  type LevelVersion,
  type Policy,
  policyOf,
  PRIVILEGED_POLICY,
  sameLevel,
} from './policy.js';

export interface PodSecuritySource {
  /** The labels of a namespace; empty when the namespace does not exist. */
  namespaceLabels(name: string): Awaitable<Readonly<Record<string, string>>>;
  pods(namespace: string): Awaitable<readonly Readonly<Pod>[]>;
}

/** Subresources of pods that do not affect how the pods run. */
const HARMLESS: ReadonlySet<string> = new Set(['binding', 'eviction', 'status']);

/**
 * Enforces the level of the namespace's labels on pods, and warns about workloads.
 * Upstream: `plugin/pkg/admission/security/podsecurity`, pod-security-admission `admission`.
 */
export function podSecurity(
  source: PodSecuritySource,
  observer: PodSecurityObserver,
  { defaults, exemptions }: PodSecuritySettings = DEFAULT_SETTINGS,
): AdmissionPlugin {
  const exemptClasses = exemptions.runtimeClasses;
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
    const { name = '', labels } = object.metadata;
    const { policy, errors } = policyOf(labels, defaults);
    const before = attributes.oldObject && policyOf(attributes.oldObject.metadata.labels, defaults);
    if (errors.length > 0 && !(before !== undefined && semanticEqual(errors, before.errors))) {
      throw invalid({ group: '', kind: 'Namespace' }, name, errors);
    }
    if (before !== undefined && !becomesStricter(before.policy.enforce, policy.enforce)) return;
    if (exemptions.namespaces.has(name)) {
      const warning = exemptNamespaceWarning(name, policy, labels, defaults);
      if (warning !== undefined) attributes.warn(warning);
      return;
    }
    const pods = before === undefined ? [] : await source.pods(name);
    for (const text of warningsOfPods(name, pods, policy.enforce, exemptClasses)) attributes.warn(text);
  }

  async function checkPod(attributes: AdmissionAttributes, object: KubernetesObject): Promise<void> {
    if (isExempt(attributes, exemptions, observer)) return;
    const { policy, errors } = policyOf(await source.namespaceLabels(attributes.namespace), defaults);
    if (errors.length === 0 && isPrivileged(policy)) {
      attributes.annotate(`${ANNOTATION_PREFIX}enforce-policy`, formatLevel(PRIVILEGED_POLICY.enforce));
      observer.evaluated(attributes, 'allow', policy.enforce, 'enforce');
      return;
    }
    const { metadata, spec } = asKind<Pod>(object);
    const old = asKind<Pod>(attributes.oldObject)?.spec;
    if (spec === undefined || (old !== undefined && !changesImages(spec, old))) return;
    applyPolicy(attributes, { policy, errors, enforced: true, exemptClasses, observer }, { metadata, spec });
  }

  async function checkTemplate(attributes: AdmissionAttributes, template: PodForm): Promise<void> {
    if (isExempt(attributes, exemptions, observer)) return;
    const found = policyOf(await source.namespaceLabels(attributes.namespace), defaults);
    if (found.errors.length === 0 && isSilent(found.policy)) return;
    applyPolicy(attributes, { ...found, enforced: false, exemptClasses, observer }, template);
  }
}

/** Whether the user or the namespace is exempt, which an annotation then says. */
function isExempt(
  attributes: AdmissionAttributes,
  exemptions: PodSecuritySettings['exemptions'],
  observer: PodSecurityObserver,
): boolean {
  const { namespace, user } = attributes;
  if (exemptions.namespaces.has(namespace)) attributes.annotate(`${ANNOTATION_PREFIX}exempt`, 'namespace');
  else if (exemptions.usernames.has(user.name)) attributes.annotate(`${ANNOTATION_PREFIX}exempt`, 'user');
  else return false;
  observer.exempt(attributes);
  return true;
}

/** Whether the policy neither warns nor annotates. */
function isSilent({ audit, warn }: Policy): boolean {
  return audit.level === 'privileged' && warn.level === 'privileged';
}

/** Whether existing pods may violate the new level and did not violate the old one. */
function becomesStricter(before: LevelVersion, after: LevelVersion): boolean {
  if (after.level === 'privileged' || sameLevel(after, before)) return false;
  return after.minor !== before.minor || isStricter(after.level, before.level);
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
