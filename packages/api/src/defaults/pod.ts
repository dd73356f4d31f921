import type { Steps } from '@binnacle/apimachinery/work';
import type { Container, Pod, PodSpec, PodStatus, PodTemplateSpec } from '../generated/types/core-v1.js';
import { defaultPodResources } from './pod-resources.js';
import { typeRule, type TypeRuleEntry } from './type-rule.js';
import { copyMap, fillMap, hasNone, isEmpty, member } from './values.js';

/** Upstream: `SetDefaults_Pod` and `Convert_v1_Pod_To_core_Pod`. Applies to pods only, not to workload templates. */
function* defaultPod(pod: Pod): Steps<void> {
  const spec = member(pod, 'spec');
  spec.enableServiceLinks ??= true;
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  for (const container of allContainers(spec)) {
    const resources = container.resources;
    if (resources?.limits) yield* fillMap((resources.requests ??= {}), resources.limits);
    if (!spec.hostNetwork) continue;
    for (const port of container.ports ?? []) if (!port.hostPort) port.hostPort = port.containerPort;
  }
  defaultPodResources(spec);
}

function* allContainers(spec: PodSpec): Generator<Container> {
  yield* spec.containers ?? [];
  yield* spec.initContainers ?? [];
}

function defaultPodSpec(spec: PodSpec): void {
  if (isEmpty(spec.dnsPolicy)) spec.dnsPolicy = 'ClusterFirst';
  if (isEmpty(spec.restartPolicy)) spec.restartPolicy = 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  if (isEmpty(spec.schedulerName)) spec.schedulerName = 'default-scheduler';
  keepServiceAccountNames(spec);
}

/** Two names for one value; `serviceAccountName`, the newer one, wins. */
function keepServiceAccountNames(spec: PodSpec): void {
  const name = isEmpty(spec.serviceAccountName) ? spec.serviceAccount : spec.serviceAccountName;
  if (isEmpty(name)) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

/** `podIP` mirrors the first of `podIPs`. If a client sends both and they differ, `podIP` wins. */
function keepPodAddresses(status: PodStatus): void {
  if (status.podIP && status.podIPs?.[0]?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }];
  const first = status.podIPs?.[0]?.ip;
  if (!isEmpty(first)) status.podIP = first;
}

/** The template's labels, which a workload without labels inherits. */
export function labelsOfTemplate(template: PodTemplateSpec | undefined): { [key: string]: string } | undefined {
  const labels = template?.metadata?.labels;
  return !labels || hasNone(labels) ? undefined : copyMap(labels);
}

export const podDefaults: readonly TypeRuleEntry[] = [
  typeRule('io.k8s.api.core.v1.Pod', defaultPod),
  typeRule('io.k8s.api.core.v1.PodSpec', defaultPodSpec),
  typeRule('io.k8s.api.core.v1.PodStatus', keepPodAddresses),
];
