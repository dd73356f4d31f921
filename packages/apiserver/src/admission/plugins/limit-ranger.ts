import { amountsOf, podAmounts } from '@binnacle/api/quota';
import type { Container, LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod } from '@binnacle/api/types/core-v1';
import { joinMessages } from '@binnacle/apimachinery/errors';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';
import { brokenLimits, brokenRequestLimits } from './limit-rules.js';

const ANNOTATION = 'kubernetes.io/limit-ranger';

export interface LimitRangeSource {
  limitRanges(namespace: string): Awaitable<readonly Readonly<LimitRange>[]>;
}

/**
 * Sets the namespace's default requests and limits on containers, and refuses pods and claims outside its bounds.
 * Upstream: `plugin/pkg/admission/limitranger`.
 */
export function limitRanger(source: LimitRangeSource): AdmissionPlugin {
  const check = async (attributes: AdmissionAttributes, act: (range: LimitRange) => string[]): Promise<void> => {
    for (const range of await source.limitRanges(attributes.namespace)) {
      const problems = act(range);
      if (problems.length > 0) throw refusal(attributes, joinMessages(problems));
    }
  };
  return {
    name: 'LimitRanger',
    resources: ['pods', 'persistentvolumeclaims'],
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    admit(attributes) {
      const pod = podOf(attributes);
      if (pod === undefined) return;
      return check(attributes, (range) => {
        giveDefaults(pod, range);
        return [];
      });
    },
    validate(attributes) {
      const pod = podOf(attributes);
      if (pod !== undefined) return check(attributes, (range) => problemsOfPod(pod, range));
      const claim = claimOf(attributes);
      return claim === undefined ? undefined : check(attributes, (range) => problemsOfClaim(claim, range));
    },
  };
}

/** The resources of an existing pod change only through its resize subresource. */
function podOf({ kind, subresource, operation, object, oldObject }: AdmissionAttributes): Pod | undefined {
  if (kind.kind !== 'Pod' || kind.group !== '' || oldObject?.metadata.deletionTimestamp !== undefined) return;
  if (operation === 'CREATE' ? subresource !== '' : subresource !== 'resize') return;
  return object;
}

function claimOf({ kind, subresource, object, oldObject }: AdmissionAttributes): PersistentVolumeClaim | undefined {
  if (kind.kind !== 'PersistentVolumeClaim' || kind.group !== '' || subresource !== '') return;
  if (oldObject?.metadata.deletionTimestamp !== undefined) return;
  return object;
}

function limitsOf(range: LimitRange, type: string): readonly LimitRangeItem[] {
  return (range.spec?.limits ?? []).filter((limit) => limit.type === type);
}

function giveDefaults(pod: Pod, range: LimitRange): void {
  const limits = limitsOf(range, 'Container');
  const defaults = {
    requests: Object.assign({}, ...limits.map((limit) => limit.defaultRequest)) as Record<string, string>,
    limits: Object.assign({}, ...limits.map((limit) => limit.default)) as Record<string, string>,
  };
  const done = [
    ...(pod.spec?.containers ?? []).flatMap((container) => giveDefaultsTo(container, 'container', defaults)),
    ...(pod.spec?.initContainers ?? []).flatMap((container) => giveDefaultsTo(container, 'init container', defaults)),
  ];
  if (done.length === 0 || pod.metadata === undefined) return;
  const text = `LimitRanger plugin set: ${done.join('; ')}`;
  pod.metadata.annotations = { ...pod.metadata.annotations, [ANNOTATION]: text };
}

function giveDefaultsTo(
  container: Container,
  what: string,
  defaults: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>,
): string[] {
  const done: string[] = [];
  for (const side of ['requests', 'limits'] as const) {
    const present = container.resources?.[side] ?? {};
    const missing = Object.entries(defaults[side]).filter(([name]) => !Object.hasOwn(present, name));
    if (missing.length === 0) continue;
    container.resources = { ...container.resources, [side]: { ...present, ...Object.fromEntries(missing) } };
    const names = missing.map(([name]) => name).sort();
    done.push(`${names.join(', ')} ${side === 'requests' ? 'request' : 'limit'} for ${what} ${container.name}`);
  }
  return done;
}

function problemsOfPod(pod: Pod, range: LimitRange): string[] {
  const spec = pod.spec ?? { containers: [] };
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  return (range.spec?.limits ?? []).flatMap((limit) => {
    if (limit.type === 'Container') {
      return containers.flatMap(({ resources }) =>
        brokenLimits(limit, amountsOf(resources?.requests), amountsOf(resources?.limits)),
      );
    }
    return limit.type === 'Pod' ? brokenLimits(limit, podAmounts(spec, 'requests'), podAmounts(spec, 'limits')) : [];
  });
}

function problemsOfClaim(claim: PersistentVolumeClaim, range: LimitRange): string[] {
  const requests = amountsOf(claim.spec?.resources?.requests);
  return limitsOf(range, 'PersistentVolumeClaim').flatMap((limit) => brokenRequestLimits(limit, requests));
}
