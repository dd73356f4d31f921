import type { Node, NodeCondition, Taint } from '@binnacle/client/kinds/core/v1';
import type { ObjectMeta } from '@binnacle/client/typed';

export const NOON = '2027-01-01T12:00:00Z';
export const noon = Date.parse(NOON);

export interface NodeTraits {
  readonly metadata?: ObjectMeta;
  readonly taints?: readonly Taint[];
  readonly unschedulable?: boolean;
  /** Statuses of conditions, by type. */
  readonly conditions?: Readonly<Record<string, string>>;
  readonly heartbeat?: string;
}

/** A node that was created at noon. */
export function node({ metadata = {}, conditions = {}, heartbeat = NOON, ...spec }: NodeTraits = {}): Node {
  const condition = (type: string, status: string): NodeCondition => ({
    type,
    status,
    reason: 'Kubelet',
    lastHeartbeatTime: heartbeat,
    lastTransitionTime: NOON,
  });
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n', uid: 'n-uid', creationTimestamp: NOON, ...metadata },
    spec,
    status: { conditions: Object.entries(conditions).map(([type, status]) => condition(type, status)) },
  };
}

export function taint(key: string, effect: Taint['effect'], timeAdded?: string): Taint {
  return { key: `node.kubernetes.io/${key}`, effect, ...(timeAdded === undefined ? {} : { timeAdded }) };
}
