import { asKind } from '@binnacle/apimachinery/meta';
import type { Node } from '@binnacle/api/types/core-v1';
import type { AdmissionPlugin } from '../plugin.js';

const NOT_READY = 'node.kubernetes.io/not-ready';

/**
 * Adds the not-ready taint to a new node; the node lifecycle controller removes it.
 * Upstream: `plugin/pkg/admission/nodetaint`.
 */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  resources: ['nodes'],
  handles: (operation) => operation === 'CREATE',
  admit({ kind, subresource, object }) {
    if (kind.kind !== 'Node' || kind.group !== '' || subresource !== '' || object === undefined) return;
    const node = asKind<Node>(object);
    const spec = (node.spec ??= {});
    if (spec.taints?.some((taint) => taint.key === NOT_READY && taint.effect === 'NoSchedule') === true) return;
    spec.taints = [...(spec.taints ?? []), { key: NOT_READY, effect: 'NoSchedule' }];
  },
};
