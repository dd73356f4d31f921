import { typeNamed } from '@binnacle/api/table';
import type { Container, Pod, PodAffinityTerm, PodCondition, PodSpec, PodStatus } from '@binnacle/api/types/core-v1';
import {
  validatePodInSteps,
  validatePodEphemeralContainersUpdate,
  validatePodResize,
  validatePodStatusUpdate,
  validatePodUpdateInSteps,
} from '@binnacle/api/validation';
import { podAffinityTerms, podQosClass } from '@binnacle/api/pods';
import type { Int64 } from '@binnacle/apimachinery/json';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { FieldError } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import { semanticEqual, validateDns1123Label } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { kind, restore, spec } from './kind.js';
import { dropGatedFields } from './gated-fields.js';
import { podGates } from './pod-gates.js';
import { copyAppArmorAnnotations } from './app-armor.js';
import { podWarnings } from './warnings/pod-warnings.js';
import { keepAllBut, keepUserMetadata, statusStrategy } from './status.js';

// Upstream: `pkg/registry/core/pod/strategy.go`.

const FINISHED: ReadonlySet<string | undefined> = new Set(['Failed', 'Succeeded']);

function podFields(pod: Pod): Record<string, string> {
  return {
    'spec.nodeName': pod.spec?.nodeName ?? '',
    'spec.restartPolicy': pod.spec?.restartPolicy ?? '',
    'spec.schedulerName': pod.spec?.schedulerName ?? '',
    'spec.serviceAccountName': pod.spec?.serviceAccountName ?? '',
    'spec.hostNetwork': String(pod.spec?.hostNetwork ?? false),
    'status.phase': pod.status?.phase ?? '',
    'status.podIP': pod.status?.podIPs?.[0]?.ip ?? '',
    // Upstream accepts the label and gives it no value.
    'status.podIPs': '',
    'status.nominatedNodeName': pod.status?.nominatedNodeName ?? '',
  };
}

/** Clients of the first releases select by `spec.host`. */
const podLabels: ReadonlyMap<string, string> = new Map([
  ...Object.keys(podFields({})).map((field) => [field, field] as const),
  ['spec.host', 'spec.nodeName'],
]);

export const podStrategy: Strategy = kind<Pod>(
  {
    desired: spec,
    gated: podGates,
    prepareForCreate(pod, context) {
      const qosClass = pod.status?.qosClass || podQosClass(pod.spec);
      pod.status = { phase: 'Pending', qosClass };
      if ((pod.spec?.schedulingGates ?? []).length > 0) {
        pod.status.conditions = [{ ...gated, lastTransitionTime: formatTime(context.now) }];
      }
      mergeLabelKeys(pod.spec, pod.metadata.labels ?? {});
      for (const text of copyAppArmorAnnotations(pod)) context.warn(text);
    },
    prepareForUpdate: (pod, old) => restore(pod, old, 'status'),
    validate: validatePodInSteps,
    validateUpdate: validatePodUpdateInSteps,
    // Like upstream, without warnings on updates.
    warnings: (pod, old) => (old === undefined ? [...hostNameWarnings(pod), ...podWarnings(pod)] : []),
    selectable: podFields,
  },
  {
    fieldLabels: podLabels,
    returnsDeletedObject: true,
    gracefulDeletionSeconds,
    indexedFields: ['spec.nodeName'],
    selectablePaths: [
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'spec.hostNetwork',
      'status.phase',
      'status.podIPs',
      'status.nominatedNodeName',
    ],
  },
);

const gated = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};

/** A pod that is not scheduled, or has finished, is deleted at once. */
function gracefulDeletionSeconds(object: Readonly<KubernetesObject>, requested: Int64 | undefined): Int64 {
  const pod = asKind<Pod>(object);
  if (!pod.spec?.nodeName || FINISHED.has(pod.status?.phase)) return 0;
  const seconds = requested ?? pod.spec.terminationGracePeriodSeconds ?? 0;
  return seconds < 0 ? 1 : seconds;
}

function hostNameWarnings(pod: KubernetesObject): string[] {
  const messages = validateDns1123Label(pod.metadata.name ?? '');
  if (messages.length === 0) return [];
  const what =
    "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
  return [`metadata.name: ${what}: [${messages.join(' ')}]`];
}

/** Turns matchLabelKeys into requirements on the pod's own label values. */
function mergeLabelKeys(podSpec: PodSpec | undefined, labels: Readonly<Record<string, string>>): void {
  for (const term of podAffinityTerms(podSpec)) {
    requireValues(term.labelSelector, 'In', term.matchLabelKeys, labels);
    requireValues(term.labelSelector, 'NotIn', term.mismatchLabelKeys, labels);
  }
  for (const constraint of podSpec?.topologySpreadConstraints ?? []) {
    requireValues(constraint.labelSelector, 'In', constraint.matchLabelKeys, labels);
  }
}

function requireValues(
  selector: PodAffinityTerm['labelSelector'],
  operator: 'In' | 'NotIn',
  keys: readonly string[] | undefined,
  labels: Readonly<Record<string, string>>,
): void {
  if (selector === undefined) return;
  for (const key of keys ?? []) {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (value === undefined) continue;
    selector.matchExpressions = [...(selector.matchExpressions ?? []), { key, operator, values: [value] }];
  }
}

/** Restores owner references and the QoS class, which old kubelets corrupt or drop. */
export const podStatusStrategy: Strategy = statusStrategy<Pod>({
  gated: podGates,
  prepare(pod, old) {
    delete pod.metadata.deletionTimestamp;
    if (old.metadata.ownerReferences === undefined) delete pod.metadata.ownerReferences;
    else pod.metadata.ownerReferences = old.metadata.ownerReferences;
    const qosClass = pod.status?.qosClass || old.status?.qosClass;
    pod.status = { ...pod.status, ...(qosClass === undefined ? {} : { qosClass }) };
    if (!pod.status.observedGeneration && old.status?.observedGeneration !== undefined) {
      pod.status.observedGeneration = old.status.observedGeneration;
    }
    keepObservedGenerations(pod.status, old.status);
  },
  validateUpdate: validatePodStatusUpdate,
});

/** Restores observedGeneration that a client omits. If several conditions have the same type, each keeps its own. */
function keepObservedGenerations(status: PodStatus, old: Readonly<PodStatus> | undefined): void {
  const before = new Map<string, PodCondition['observedGeneration'][]>();
  for (const { type, observedGeneration } of old?.conditions ?? []) {
    before.set(type, [...(before.get(type) ?? []), observedGeneration]);
  }
  for (const condition of status.conditions ?? []) {
    const observed = before.get(condition.type)?.shift();
    if (!condition.observedGeneration && observed) condition.observedGeneration = observed;
  }
}

/** Writes one part of the spec, through a subresource, and keeps everything else. */
function specPartStrategy(
  merge: (pod: Pod, old: Pod) => PodSpec | undefined,
  validateUpdate: (pod: Pod, old: Pod) => FieldError[],
): Strategy {
  return {
    prepareForUpdate(object, old) {
      const pod = asKind<Pod>(object);
      const before = asKind<Pod>(old);
      const merged = merge(pod, before);
      keepAllBut('', object, old);
      keepUserMetadata(object, old);
      pod.spec = merged ?? before.spec;
      dropGatedFields(object, old, podGates);
      if (!semanticEqual(pod.spec, before.spec, typeNamed('io.k8s.api.core.v1.PodSpec'))) {
        object.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
      }
    },
    validateUpdate: (object, old) => validateUpdate(object, old),
  };
}

export const podEphemeralContainersStrategy: Strategy = specPartStrategy(
  (pod, old) =>
    old.spec === undefined ? undefined : { ...old.spec, ephemeralContainers: pod.spec?.ephemeralContainers },
  validatePodEphemeralContainersUpdate,
);

/** Resources and resize policies of containers. If the containers differ, it leaves them for validation to refuse. */
export const podResizeStrategy: Strategy = specPartStrategy((pod, old) => {
  if (old.spec === undefined || pod.spec === undefined) return undefined;
  const lists = ['containers', 'initContainers'] as const;
  const lengthOf = (spec: PodSpec, name: (typeof lists)[number]): number => spec[name]?.length ?? 0;
  const { spec } = pod;
  if (lists.some((name) => old.spec === undefined || lengthOf(spec, name) !== lengthOf(old.spec, name))) return spec;
  const initContainers = withResourcesOf(spec.initContainers ?? [], old.spec.initContainers ?? []);
  const { resources: _, ...changed } = {
    ...old.spec,
    containers: withResourcesOf(spec.containers ?? [], old.spec.containers ?? []),
    ...(initContainers.length > 0 ? { initContainers } : {}),
  };
  return spec.resources === undefined ? changed : { ...changed, resources: spec.resources };
}, validatePodResize);

function withResourcesOf(containers: Container[], old: readonly Container[]): Container[] {
  if (containers.some(({ name }, index) => name !== old[index]?.name)) return containers;
  return old.map((container, index) => {
    const { resources, resizePolicy } = containers[index] ?? {};
    const { resources: _, resizePolicy: __, ...rest } = container;
    return {
      ...rest,
      ...(resources === undefined ? {} : { resources }),
      ...(resizePolicy === undefined ? {} : { resizePolicy }),
    };
  });
}
