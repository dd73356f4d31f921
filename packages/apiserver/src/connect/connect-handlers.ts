import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { Egress } from '../egress/index.js';
import type { UserHeaders } from '../proxying/index.js';
import type { Stores } from '../registry/index.js';
import { Connections, type KubeletTrust } from './connections.js';
import { Destinations } from './destinations.js';
import type { KubeletAddressing } from './kubelet-address.js';
import { objectProxy } from './object-proxy.js';
import { type ConnectHandler, paced } from './paced-handler.js';
import { podLog } from './pod-log.js';
import { podStream } from './pod-stream.js';

export interface ConnectHandlersOptions {
  readonly stores: Stores;
  readonly egress: Egress;
  readonly kubelets: KubeletAddressing & KubeletTrust;
  readonly userHeaders: UserHeaders;
  readonly clock: Clock;
  readonly random: Random;
}

/** The handlers of the subresources that lead to other servers, by `pods/log`. */
export interface ConnectHandlers {
  readonly handlers: ReadonlyMap<string, ConnectHandler>;
  /** Closes idle connections. */
  close(): void;
}

export function connectHandlers(options: ConnectHandlersOptions): ConnectHandlers {
  const { stores, egress, kubelets, userHeaders, clock, random } = options;
  const connections = new Connections({ egress, kubelets, clock });
  const destinations = new Destinations(stores, kubelets, random);
  const parts = { destinations, connections, clock, userHeaders };
  const handlers = new Map<string, ConnectHandler>([
    ['pods/log', paced(podLog(parts))],
    ['pods/exec', paced(podStream('exec', parts))],
    ['pods/attach', paced(podStream('attach', parts))],
    ['pods/portforward', paced(podStream('portforward', parts))],
    ['pods/proxy', paced(objectProxy((info) => destinations.ofPod(info), parts))],
    ['services/proxy', paced(objectProxy((info) => destinations.ofService(info), parts))],
    ['nodes/proxy', paced(objectProxy((info) => destinations.ofNode(info), parts))],
  ]);
  return { handlers, close: () => connections.close() };
}
