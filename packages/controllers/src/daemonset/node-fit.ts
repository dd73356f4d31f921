import type { DaemonSet } from '@binnacle/client/kinds/apps/v1';
import type { Node, PodSpec } from '@binnacle/client/kinds/core/v1';
import { fitsAffinity, Tolerations } from '@binnacle/api/pods';
import { daemonTolerations } from './tolerations.js';

/** Whether a DaemonSet runs on a node. */
export interface NodeFit {
  /** A pod is to be created if the node has none. */
  readonly shouldRun: boolean;
  /** A pod that the node has may stay. */
  readonly mayStay: boolean;
}

const never: NodeFit = { shouldRun: false, mayStay: false };
const always: NodeFit = { shouldRun: true, mayStay: true };

/** Upstream: `NodeShouldRunDaemonPod`. A pod stays on a node that has got a taint, unless the taint evicts. */
export function fitOf({ spec }: DaemonSet, node: Node): NodeFit {
  const template: Partial<PodSpec> = spec?.template.spec ?? {};
  const { nodeName = '' } = template;
  if (nodeName !== '' && nodeName !== node.metadata.name) return never;
  if (!fitsAffinity(template, node)) return never;
  const { taints = [] } = node.spec ?? {};
  if (taints.length === 0) return always;
  const tolerations = new Tolerations(daemonTolerations(template));
  const repels = (effect: string) => taints.some((taint) => taint.effect === effect && !tolerations.permit(taint));
  const mayStay = !repels('NoExecute');
  return { shouldRun: mayStay && !repels('NoSchedule'), mayStay };
}
