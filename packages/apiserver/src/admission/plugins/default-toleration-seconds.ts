import { asKind } from '@binnacle/apimachinery/meta';
import type { Pod, Toleration } from '@binnacle/api/types/core-v1';
import type { AdmissionPlugin } from '../plugin.js';

const SECONDS = 300;
const CONDITIONS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const;

/**
 * Adds tolerations of five minutes for nodes that are not ready or unreachable, unless the pod has its own.
 * Upstream: `plugin/pkg/admission/defaulttolerationseconds`.
 */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  resources: ['pods'],
  handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
  admit({ kind, subresource, object }) {
    if (kind.kind !== 'Pod' || kind.group !== '' || subresource !== '' || object === undefined) return;
    const pod = asKind<Pod>(object);
    if (pod.spec === undefined) return;
    const present = pod.spec.tolerations ?? [];
    const missing = CONDITIONS.filter((key) => !present.some((toleration) => tolerates(toleration, key)));
    if (missing.length === 0) return;
    pod.spec.tolerations = [
      ...present,
      ...missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: SECONDS })),
    ];
  },
};

function tolerates(toleration: Toleration, key: string): boolean {
  const sameKey = (toleration.key ?? '') === '' || toleration.key === key;
  return sameKey && ((toleration.effect ?? '') === '' || toleration.effect === 'NoExecute');
}
