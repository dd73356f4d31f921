import type { Clock, Random } from '@binnacle/apimachinery/clock';
import { DynamicClient } from '@binnacle/client/dynamic';
import type { Transport } from '@binnacle/client/transport';
import { runLoops } from '@binnacle/controllers';
import type { LoopSettings } from '@binnacle/controllers/loop';
import { chooseLoops } from '@binnacle/controllers/table';
import { runNodes } from '@binnacle/nodes';
import { runScheduler } from '@binnacle/scheduler/loop';

/** The context in which a component of the cluster runs. */
export interface ComponentContext {
  readonly clock: Clock;
  readonly random: Random;
  /** Connects as this user. */
  readonly connect: (identity: Identity) => Transport;
  /** Called with failures that last. */
  readonly report: (error: unknown, where: string) => void;
}

export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
  readonly userAgent: string;
}

/** A process of the cluster, which can be killed and starts again. */
export interface ClusterComponent {
  readonly name: string;
  /** Resolves once the signal has fired and the component has ended. */
  run(context: ComponentContext, signal: AbortSignal): Promise<void>;
}

/** A controller of the user: anything that runs on a client until its signal fires. */
export interface OwnController {
  /** Actions and histories name it so. */
  readonly name: string;
  /**
   * Runs the controller with an administrator's rights, on the simulation's clock and random source. An error ends the simulation, unless
   * the signal has fired.
   */
  run(context: OwnControllerContext, signal: AbortSignal): Promise<void>;
}

export interface OwnControllerContext extends ComponentContext {
  readonly client: DynamicClient;
}

export interface BuiltInOptions {
  /** As `--controllers`. */
  readonly controllers: string;
  readonly settings: LoopSettings;
  readonly nodes: number;
  readonly elidesHeartbeats: boolean;
}

/** The components of a cluster by the names that `kill` knows: `controllers`, `scheduler` and `nodes`. */
export function builtInComponents(options: BuiltInOptions): ClusterComponent[] {
  const { nodes, elidesHeartbeats, settings } = options;
  const loops = chooseLoops(options.controllers);
  const isSoleServer = true;
  const components: ClusterComponent[] = [
    {
      name: 'controllers',
      run: (context, signal) =>
        runLoops({ ...context, loops, settings, isSoleServer, certificateAuthority: '' }, signal),
    },
    { name: 'scheduler', run: runScheduler },
  ];
  if (nodes === 0) return components;
  return [
    ...components,
    { name: 'nodes', run: (context, signal) => runNodes({ ...context, count: nodes, elidesHeartbeats }, signal) },
  ];
}

/** A controller of the user, with an administrator's rights. */
export function asComponent(controller: OwnController): ClusterComponent {
  const { name } = controller;
  const identity = { user: name, groups: ['system:masters'], userAgent: name };
  return {
    name,
    run: async (context, signal) => {
      const transport = context.connect(identity);
      await controller.run({ ...context, client: new DynamicClient(transport) }, signal);
      await transport.close();
    },
  };
}
