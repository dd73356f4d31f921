import { fitsAffinity, hostPortsOf, TakenPorts, Tolerations } from '@binnacle/api/pods';
import { type Amounts, amountsOf, podAmountsWithOverhead, sumOf } from '@binnacle/api/quota';
import type { Quantity } from '@binnacle/apimachinery/quantity';
import type { Node, Pod, PodSpec } from '@binnacle/client/kinds/core/v1';
import type { Rejection } from '../pods/index.js';

/** Upstream looks at these first. */
const FIRST = ['cpu', 'memory', 'ephemeral-storage'];

/**
 * Why a node does not take a pod; undefined: it does. `others` are the pods that it has taken and that have not ended.
 * Upstream: `predicateAdmitHandler.Admit`.
 */
export function rejectionOf(pod: Pod, node: Node, others: readonly Pod[]): Rejection | undefined {
  const { spec = { containers: [] } } = pod;
  return (
    otherSystem(pod, node) ??
    shortage(pod, node, others) ??
    wrongNode(spec, node) ??
    takenPort(spec, others) ??
    taint(spec, node)
  );
}

function otherSystem({ metadata, spec }: Pod, node: Node): Rejection | undefined {
  const os = node.metadata.labels?.['kubernetes.io/os'];
  const wanted = metadata.labels?.['kubernetes.io/os'];
  if (wanted !== undefined && wanted !== os) {
    return {
      reason: 'PodOSSelectorNodeLabelDoesNotMatch',
      message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    };
  }
  if ((spec?.os?.name ?? 'linux') === 'linux') return undefined;
  return { reason: 'PodOSNotSupported', message: "Failed to admit pod as the OS field doesn't match node OS" };
}

/**
 * Extended resources that the node does not have are not counted: they may belong to the cluster. Nor are those that a claim for devices
 * provides.
 */
function shortage(
  { spec = { containers: [] }, status: own }: Pod,
  { status }: Node,
  others: readonly Pod[],
): Rejection | undefined {
  const capacity = amountsOf(status?.allocatable);
  const places = measured('pods', capacity.get('pods'));
  const present = BigInt(others.length);
  if (present + 1n > places) {
    return { reason: 'OutOfpods', message: lack('pods', { requested: 1n, used: present, capacity: places }) };
  }
  let used: Amounts = new Map();
  for (const other of others) {
    used = sumOf(used, requestsOf(other));
  }
  const wanted = podAmountsWithOverhead(spec, 'requests');
  const mappings = own?.extendedResourceClaimStatus?.requestMappings ?? [];
  const fromDevices = new Set(mappings.map(({ resourceName }) => resourceName));
  for (const name of new Set([...FIRST, ...wanted.keys()])) {
    const has = capacity.get(name);
    if (has === undefined && name.includes('/')) continue;
    if (fromDevices.has(name)) continue;
    const requested = measured(name, wanted.get(name));
    const taken = measured(name, used.get(name));
    const total = measured(name, has);
    if (requested === 0n || requested + taken <= total) continue;
    return { reason: `OutOf${name}`, message: lack(name, { requested, used: taken, capacity: total }) };
  }
  return undefined;
}

/** Each new pod of a node is compared with all others, which may have thousands of containers. */
const known = new WeakMap<Pod, Amounts>();

function requestsOf(pod: Pod): Amounts {
  const amounts = known.get(pod) ?? podAmountsWithOverhead(pod.spec ?? { containers: [] }, 'requests', pod.status);
  known.set(pod, amounts);
  return amounts;
}

const measured = (name: string, amount: Quantity | undefined): bigint =>
  (name === 'cpu' ? amount?.milliValue() : amount?.asInt()) ?? 0n;

function lack(name: string, numbers: { requested: bigint; used: bigint; capacity: bigint }): string {
  const { requested, used, capacity } = numbers;
  return `Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
}

function wrongNode(spec: PodSpec, node: Node): Rejection | undefined {
  return fitsAffinity(spec, node)
    ? undefined
    : failed('NodeAffinity', "node(s) didn't match Pod's node affinity/selector");
}

function takenPort(spec: PodSpec, others: readonly Pod[]): Rejection | undefined {
  const wanted = hostPortsOf(spec);
  if (wanted.length === 0) return undefined;
  const taken = new TakenPorts();
  for (const other of others) taken.add(hostPortsOf(other.spec ?? {}));
  return taken.hasOneOf(wanted)
    ? failed('NodePorts', "node(s) didn't have free ports for the requested pod ports")
    : undefined;
}

/** A kubelet looks only at taints that would evict the pod. */
function taint({ tolerations }: PodSpec, { spec }: Node): Rejection | undefined {
  const evicting = (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  if (evicting.length === 0) return undefined;
  const permitted = new Tolerations(tolerations);
  return evicting.some((each) => !permitted.permit(each))
    ? failed('TaintToleration', 'node(s) had untolerated taint(s)')
    : undefined;
}

const failed = (predicate: string, why: string): Rejection => ({
  reason: predicate,
  message: `Predicate ${predicate} failed: ${why}`,
});
