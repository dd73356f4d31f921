import type { Clock } from '@binnacle/apimachinery/clock';
import type { Delegation } from '@binnacle/client/delegation';
import type { PodSource } from './pod-source.js';
import type { ProcessAccess } from './process-access.js';

export interface KubeletApiParts {
  readonly pods: PodSource;
  /** The nodes whose kubelet listens on this port. */
  readonly nodesAt: (port: number) => readonly string[];
  /** Default: all pods are simulated. */
  readonly processes?: ProcessAccess | undefined;
  readonly delegation: Delegation;
  readonly clock: Clock;
  /** Called with unexpected failures. Must not throw. */
  readonly report: (error: unknown) => void;
  /** Fires when the nodes stop. */
  readonly signal: AbortSignal;
}
