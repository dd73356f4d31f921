import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { ProcessPod, ProcessRun } from '../workloads/index.js';

/** The pods whose containers are processes of this machine. */
export interface ProcessAccess {
  /** Whether its node runs processes. */
  readonly has: (pod: Pod) => boolean;
  /** The pod, and one run of a container; undefined: an earlier server has run it. */
  readonly find: (pod: Pod, containerId: string) => FoundRun | undefined;
  /** Where the processes of a pod listen. */
  readonly addressOf: (pod: Pod) => string;
}

export interface FoundRun {
  readonly pod: Pick<ProcessPod, 'run'>;
  readonly run: ProcessRun;
}
