import type { ControlLoop, LoopContext } from '../loop/index.js';

/** A control loop, as `--controllers` knows it. */
export interface LoopFacts {
  readonly name: string;
  /** Names that it had before, which are taken as well. */
  readonly aliases: readonly string[];
  /** In `kube-system`: as whom it acts. */
  readonly serviceAccount: string;
  readonly enabledByDefault: boolean;
  /** Loads and makes it. */
  readonly create: (context: LoopContext) => Promise<ControlLoop>;
}

/** All that there are. Upstream: kubernetes `cmd/kube-controller-manager/names` and `app`. */
export const loops: readonly LoopFacts[] = [];
