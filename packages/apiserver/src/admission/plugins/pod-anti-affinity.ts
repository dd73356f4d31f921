import type { Pod } from '@binnacle/api/types/core-v1';
import { asKind } from '@binnacle/apimachinery/meta';
import { forbidden } from '@binnacle/apimachinery/status';
import type { AdmissionPlugin } from '../plugin.js';

const HOSTNAME = 'kubernetes.io/hostname';

/**
 * Refuses pods with a required anti-affinity over anything larger than a node.
 * Upstream: `plugin/pkg/admission/antiaffinity`.
 */
export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  resources: ['pods'],
  handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
  validate({ resource, subresource, object }) {
    if (subresource !== '') return;
    const pod = asKind<Pod>(object);
    const terms = pod?.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const wider = terms.find(({ topologyKey }) => topologyKey !== HOSTNAME);
    if (wider === undefined) return;
    const what = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wider.topologyKey}`;
    throw forbidden(resource, pod?.metadata?.name ?? '', `${what} but only key ${HOSTNAME} is allowed`);
  },
};
