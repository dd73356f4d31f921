import type { Steps } from '@binnacle/apimachinery/work';
import type {
  LimitRangeItem,
  Namespace,
  NamespaceStatus,
  NodeSpec,
  NodeStatus,
  ReplicationController,
  ReplicationControllerSpec,
  Secret,
} from '../generated/types/core-v1.js';
import { labelsOfTemplate } from './pod.js';
import { typeRule, type TypeRuleEntry } from './type-rule.js';
import { copyMap, fillMap, hasNone, isEmpty } from './values.js';

function defaultNamespace(namespace: Namespace): void {
  const metadata = namespace.metadata;
  if (!metadata?.name) return;
  (metadata.labels ??= {})['kubernetes.io/metadata.name'] = metadata.name;
}

function defaultNodeStatus(status: NodeStatus): void {
  if (!status.allocatable && status.capacity) status.allocatable = copyMap(status.capacity);
}

/** `podCIDR` mirrors the first of `podCIDRs`. If a client sends both and they differ, `podCIDR` wins. */
function alignPodRanges(spec: NodeSpec): void {
  if (spec.podCIDR && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
  const first = spec.podCIDRs?.[0];
  if (!isEmpty(first)) spec.podCIDR = first;
}

function defaultSecret(secret: Secret): void {
  if (isEmpty(secret.type)) secret.type = 'Opaque';
  if (!secret.stringData) return;
  const data = (secret.data ??= {});
  for (const [key, text] of Object.entries(secret.stringData)) {
    const value = Buffer.from(text, 'utf8').toString('base64');
    Object.defineProperty(data, key, { value, writable: true, enumerable: true, configurable: true });
  }
  delete secret.stringData;
  if (hasNone(data)) delete secret.data;
}

function* defaultLimitRangeItem(item: LimitRangeItem): Steps<void> {
  if (item.type !== 'Container') return;
  const limits = (item.default ??= {});
  const requests = (item.defaultRequest ??= {});
  if (item.max) yield* fillMap(limits, item.max);
  yield* fillMap(requests, limits);
  if (item.min) yield* fillMap(requests, item.min);
}

function defaultReplicationController(controller: ReplicationController): void {
  const spec: ReplicationControllerSpec | undefined = controller.spec;
  const labels = labelsOfTemplate(spec?.template);
  if (!spec || !labels) return;
  if (hasNone(spec.selector)) spec.selector = labels;
  const metadata = (controller.metadata ??= {});
  if (hasNone(metadata.labels)) metadata.labels = copyMap(labels);
}

export const coreDefaults: readonly TypeRuleEntry[] = [
  typeRule('io.k8s.api.core.v1.Namespace', defaultNamespace),
  typeRule('io.k8s.api.core.v1.NamespaceStatus', (status: NamespaceStatus) => {
    if (isEmpty(status.phase)) status.phase = 'Active';
  }),
  typeRule('io.k8s.api.core.v1.NodeSpec', alignPodRanges),
  typeRule('io.k8s.api.core.v1.NodeStatus', defaultNodeStatus),
  typeRule('io.k8s.api.core.v1.Secret', defaultSecret),
  typeRule('io.k8s.api.core.v1.LimitRangeItem', defaultLimitRangeItem),
  typeRule('io.k8s.api.core.v1.ReplicationController', defaultReplicationController),
];
