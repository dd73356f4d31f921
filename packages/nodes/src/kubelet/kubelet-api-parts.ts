import type { Clock } from '@binnacle/apimachinery/clock';
import type { Delegation } from '@binnacle/client/delegation';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { Network } from '../shell/index.js';
import type { PodSource } from './pod-source.js';
import type { ProcessAccess } from './process-access.js';

export interface KubeletApiParts {
  readonly pods: PodSource;
  /** The nodes whose kubelet listens on this port. */
  readonly nodesAt: (port: number) => readonly string[];
  /** Default: all pods are simulated. */
  readonly processes?: ProcessAccess | undefined;
  /** What simulated pods reach by names. Default: nothing. */
  readonly networkOf?: ((pod: Pod) => Network) | undefined;
  readonly delegation: Delegation;
  readonly clock: Clock;
  /** Called with unexpected failures. Must not throw. */
  readonly report: (error: unknown) => void;
  /** Fires when the nodes stop. */
  readonly signal: AbortSignal;
}
