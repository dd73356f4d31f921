import type { Binding, Pod } from '@binnacle/api/types/core-v1';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';

const COPIED = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

export interface NodeSource {
  node(name: string): Awaitable<Readonly<KubernetesObject> | undefined>;
}

/**
 * Labels a pod that gets a node with the topology of that node, and overrides the pod's own labels. A binding copies
 * the labels to its pod.
 * Upstream: `plugin/pkg/admission/podtopologylabels`.
 */
export function podTopologyLabels(source: NodeSource): AdmissionPlugin {
  return {
    name: 'PodTopologyLabels',
    resources: ['pods'],
    handles: (operation) => operation === 'CREATE',
    admit(attributes) {
      const name = assignedNode(attributes);
      return name === undefined || attributes.object === undefined ? undefined : label(attributes.object, name);
    },
  };

  async function label(object: KubernetesObject, nodeName: string): Promise<void> {
    const labels = (await source.node(nodeName))?.metadata.labels ?? {};
    const copied = COPIED.filter((key) => Object.hasOwn(labels, key)).map((key) => [key, labels[key] ?? ''] as const);
    if (copied.length > 0) object.metadata.labels = { ...object.metadata.labels, ...Object.fromEntries(copied) };
  }
}

/** The node of a pod that is created with one, or of a binding. */
function assignedNode({ resource, subresource, object }: AdmissionAttributes): string | undefined {
  if (resource.group !== '' || resource.resource !== 'pods' || object === undefined) return undefined;
  if (subresource === '') return asKind<Pod>(object).spec?.nodeName || undefined;
  if (subresource !== 'binding') return undefined;
  const { target } = asKind<Binding>(object);
  return target?.kind === 'Node' ? target.name : undefined;
}
