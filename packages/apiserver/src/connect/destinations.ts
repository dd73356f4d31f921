import { isIP } from 'node:net';
import { lookup } from 'node:dns/promises';
import type { Node, Pod } from '@binnacle/api/types/core-v1';
import type { Random } from '@binnacle/apimachinery/clock';
import { badRequest, notFound, quoteGo, serviceUnavailable } from '@binnacle/apimachinery/status';
import { ENDPOINTS, NODES, PODS, SERVICES, type Stores } from '../registry/index.js';
import type { RequestInfo } from '../request/index.js';
import type { Destination, ForwardedPod } from './destination.js';
import { kubeletAddress, type KubeletAddressing } from './kubelet-address.js';
import {
  type EndpointChoice,
  endpointChoices,
  isAddressOf,
  isGlobalUnicast,
  isKubeletAddress,
  isPortNumber,
  podAddress,
  portOf,
  schemeOf,
  servicePortName,
} from './proxy-location.js';
import { parseTargetId, type TargetId } from './target-id.js';

/** A kubelet, and its node. */
export interface Kubelet {
  readonly node: Node;
  readonly address: Pick<Destination, 'scheme' | 'host' | 'port'>;
}

type Address = Pick<Destination, 'scheme' | 'host' | 'port' | 'trust' | 'forwarded'>;

/** The label of nodes whose pods are on no network. */
const SIMULATED = 'binnacle.dev/simulated';

/** Reads objects to find out where a request goes. Throws a StatusError when it has no destination. */
export class Destinations {
  readonly #stores: Stores;
  readonly #addressing: KubeletAddressing;
  readonly #random: Random;

  constructor(stores: Stores, addressing: KubeletAddressing, random: Random) {
    this.#stores = stores;
    this.#addressing = addressing;
    this.#random = random;
  }

  async pod(namespace: string, name: string): Promise<Pod> {
    const pod = await this.#stores.reader(PODS).find(namespace, name);
    if (pod === undefined) throw notFound(PODS, name);
    return pod;
  }

  async kubelet(name: string): Promise<Kubelet> {
    const node = await this.#stores.reader(NODES).find('', name);
    if (node === undefined) throw notFound(NODES, name);
    return { node, address: this.#addressOf(node) };
  }

  async ofPod({ namespace, name: id }: RequestInfo): Promise<Address> {
    const target = parseTargetId(id, 'pod');
    const pod = await this.pod(namespace, target.name);
    return { ...podAddress(pod, id, target), trust: 'anyone', forwarded: await this.#forwarded(pod) };
  }

  /**
   * A kubelet may be on loopback, as simulated ones are; nothing else there is reachable through a node. Upstream refuses
   * loopback altogether.
   */
  async ofNode({ name: id }: RequestInfo): Promise<Address> {
    const target = parseTargetId(id, 'node');
    const { address } = await this.kubelet(target.name);
    const isKubelet = target.port === '' || target.port === String(address.port);
    await checkHost(address.host, isKubelet ? isKubeletAddress : isGlobalUnicast);
    if (isKubelet) return { ...address, trust: 'kubelet' };
    return { scheme: schemeOf(target), host: address.host, port: portOf(id, 'node', target.port), trust: 'anyone' };
  }

  async ofService({ namespace, name: id }: RequestInfo): Promise<Address> {
    const target = parseTargetId(id, 'service');
    const portName = isPortNumber(target) ? await this.#portName(namespace, target) : target.port;
    const endpoints = await this.#stores.reader(ENDPOINTS).find(namespace, target.name);
    if (endpoints === undefined) throw notFound(SERVICES, target.name);
    const { subsets = [] } = endpoints;
    const none = (name: string) => serviceUnavailable(`no endpoints available for service ${quoteGo(name)}`);
    if (subsets.length === 0) throw none(target.name);
    const found = await this.#firstOfPods(namespace, endpointChoices(subsets, portName));
    if (found === undefined) throw none(id);
    const { choice, pod } = found;
    return {
      scheme: schemeOf(target),
      host: choice.address.ip,
      port: choice.port,
      trust: 'anyone',
      forwarded: await this.#forwarded(pod),
    };
  }

  /** Upstream has no simulated nodes. A direct request would reach any host that has the address of the pod. */
  async #forwarded({ metadata, spec }: Pod): Promise<ForwardedPod | undefined> {
    const node = await this.#stores.reader(NODES).find('', spec?.nodeName ?? '');
    if (node?.metadata?.labels?.[SIMULATED] !== 'true') return undefined;
    return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '', kubelet: this.#addressOf(node) };
  }

  #addressOf(node: Node): Kubelet['address'] {
    return { scheme: 'https', ...kubeletAddress(node, this.#addressing) };
  }

  async #portName(namespace: string, target: TargetId): Promise<string> {
    const service = await this.#stores.reader(SERVICES).find(namespace, target.name);
    if (service === undefined) throw notFound(SERVICES, target.name);
    return servicePortName(service, target);
  }

  /** The first choice from a random one on that is the address of its pod. */
  async #firstOfPods(
    namespace: string,
    choices: readonly EndpointChoice[],
  ): Promise<{ readonly choice: EndpointChoice; readonly pod: Pod } | undefined> {
    const start = Math.floor(this.#random.number() * choices.length);
    for (const choice of [...choices.slice(start), ...choices.slice(0, start)]) {
      const { targetRef } = choice.address;
      if (targetRef?.namespace !== namespace) continue;
      const pod = await this.#stores.reader(PODS).find(namespace, targetRef.name ?? '');
      if (pod !== undefined && isAddressOf(pod, choice.address)) return { choice, pod };
    }
    return undefined;
  }
}

/** Throws unless all addresses of a host are allowed. Upstream: `isProxyableHostname`. */
async function checkHost(host: string, isAllowed: (address: string) => boolean): Promise<void> {
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
  if (!addresses.every(isAllowed)) throw badRequest('address not allowed');
}

async function addressesOf(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    throw badRequest(`lookup ${host}: no such host`);
  }
}
