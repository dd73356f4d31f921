import type { Pod } from '@binnacle/api/types/core-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';

const COPIED = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

export interface NodeSource {
  node(name: string): Promise<Readonly<KubernetesObject> | undefined>;
}

/**
 * A pod that gets a node is labelled with where that node is, unless it says so itself.
 * Upstream: `plugin/pkg/admission/podtopologylabels`.
 */
export function podTopologyLabels(source: NodeSource): AdmissionPlugin {
  return {
    name: 'PodTopologyLabels',
    resources: ['pods'],
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    admit(attributes) {
      const name = assignedNode(attributes);
      return name === undefined || attributes.object === undefined ? undefined : label(attributes.object, name);
    },
  };

  async function label(pod: KubernetesObject, nodeName: string): Promise<void> {
    const labels = (await source.node(nodeName))?.metadata.labels ?? {};
    const own = pod.metadata.labels ?? {};
    const missing = COPIED.filter((key) => Object.hasOwn(labels, key) && !Object.hasOwn(own, key));
    if (missing.length === 0) return;
    pod.metadata.labels = { ...own, ...Object.fromEntries(missing.map((key) => [key, labels[key] ?? ''])) };
  }
}

/** The node of a pod that has one from the start, or is being bound to one. */
function assignedNode({ resource, subresource, operation, object }: AdmissionAttributes): string | undefined {
  if (resource.group !== '' || resource.resource !== 'pods') return undefined;
  if (operation === 'CREATE' ? subresource !== '' : subresource !== 'binding') return undefined;
  return (object as unknown as Pod | undefined)?.spec?.nodeName || undefined;
}
