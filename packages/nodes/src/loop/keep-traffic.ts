import type { Clock, Timer } from '@binnacle/apimachinery/clock';
import { finishInTurns } from '@binnacle/apimachinery/turns';
import type { SharedInformer, SharedInformerFactory } from '@binnacle/client/cache';
import { type Node, Service } from '@binnacle/client/kinds/core/v1';
import { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import type { LocalNode } from '../node/index.js';
import { localNodeAddress } from '../node/limits/index.js';
import { Balancer, type BalancerParts, type TrafficNode, trafficPlan } from '../traffic/index.js';

/** Changes within this time lead to one plan. Milliseconds. */
const SETTLING = 100;
/** Upstream: `ToBeDeletedTaint`. */
const LEAVES = 'ToBeDeletedByClusterAutoscaler';

export interface TrafficParts extends BalancerParts {
  readonly clock: Clock;
  /** Those that run processes have traffic. */
  readonly nodes: readonly LocalNode[];
  readonly nodeObjects: SharedInformer<Node>;
}

/**
 * Lets services whose endpoints are processes answer on this machine, until it is closed. Call it before the informers run. Undefined:
 * no node runs processes, or this system has only one loopback address.
 */
export function keepTraffic(
  informers: SharedInformerFactory,
  parts: TrafficParts,
  platform: NodeJS.Platform = process.platform,
): Disposable | undefined {
  const own = parts.nodes.filter(({ processes }) => processes !== undefined);
  if (own.length === 0 || platform !== 'linux') return undefined;
  const { nodeObjects, clock } = parts;
  const services: SharedInformer<Service> = informers.informer(Service);
  const slices: SharedInformer<EndpointSlice> = informers.informer(EndpointSlice);
  const balancer = new Balancer(parts);
  const trafficNodes = (): readonly TrafficNode[] =>
    own.map(({ name, index }) => ({
      host: localNodeAddress(index),
      isEligible: isEligible(nodeObjects.lister.get(name)),
    }));
  const ended = new AbortController();
  let [isBusy, isChanged] = [false, false];
  let pending: Timer | undefined;
  const look = (): void => {
    isChanged = true;
    if (isBusy || ended.signal.aborted) return;
    isBusy = true;
    pending = clock.setTimer(() => void follow(), SETTLING);
  };
  const follow = async (): Promise<void> => {
    isChanged = false;
    const plan = await finishInTurns(trafficPlan(services.lister.list(), slices.lister.list(), trafficNodes()));
    if (!ended.signal.aborted) await balancer.serve(plan);
    isBusy = false;
    if (isChanged) look();
  };
  const lookAfter = (node: Node): void => {
    if (own.some(({ name }) => name === node.metadata.name)) look();
  };
  const handler = { onAdd: look, onUpdate: look, onDelete: look };
  const handlers = [
    services.addHandler(handler),
    slices.addHandler(handler),
    nodeObjects.addHandler({ onAdd: lookAfter, onUpdate: (_, node) => lookAfter(node), onDelete: lookAfter }),
  ];
  return {
    [Symbol.dispose]: () => {
      ended.abort();
      for (const each of handlers) each[Symbol.dispose]();
      pending?.[Symbol.dispose]();
      balancer.close();
    },
  };
}

/** Upstream: `NodeEligible` of `pkg/proxy/healthcheck`. */
function isEligible(node: Node | undefined): boolean {
  if (node === undefined || node.metadata.deletionTimestamp !== undefined) return false;
  return node.spec?.taints?.every(({ key }) => key !== LEAVES) ?? true;
}
