import { type HostPort, TakenPorts } from '@binnacle/api/pods';
import type { Node } from '@binnacle/client/kinds/core/v1';
import type { PodFacts } from './pod-facts.js';
import { type Resources, resourcesOf } from './resources.js';

/** A node, its pods, and what they take of it. Upstream: `framework.NodeInfo`. */
export class NodeState {
  readonly node: Node;
  readonly name: string;
  /** Without a prototype: a topology key may be `constructor`. */
  readonly labels: Readonly<Record<string, string>>;
  readonly allocatable: Resources;
  /** Bytes of the images that the node has, by name. */
  readonly images: ReadonlyMap<string, number>;
  readonly #pods = new Map<string, PodFacts>();
  readonly #requested = new Map<string, number>();
  readonly #scoredRequested = new Map<string, number>();
  readonly #ports = new TakenPorts();
  #repelling = 0;
  #affine = 0;

  constructor(node: Node, pods: Iterable<PodFacts> = []) {
    this.node = node;
    this.name = node.metadata.name ?? '';
    this.labels = Object.assign(Object.create(null) as Record<string, string>, node.metadata.labels);
    this.allocatable = resourcesOf(node.status?.allocatable);
    this.images = imagesOf(node);
    for (const pod of pods) this.add(pod);
  }

  get pods(): Iterable<PodFacts> {
    return this.#pods.values();
  }

  get podCount(): number {
    return this.#pods.size;
  }

  /** A pod on it has a required term against others. */
  get hasRepellingPods(): boolean {
    return this.#repelling > 0;
  }

  /** A pod on it has a term about other pods. */
  get hasAffinePods(): boolean {
    return this.#affine > 0;
  }

  requested(resource: string): number {
    return this.#requested.get(resource) ?? 0;
  }

  /** Counts defaults for containers without requests. */
  scoredRequested(resource: string): number {
    return this.#scoredRequested.get(resource) ?? 0;
  }

  /** Whether one of the host ports is taken. */
  hasPort(ports: readonly HostPort[]): boolean {
    return this.#ports.hasOneOf(ports);
  }

  /** Replaces the pod of this uid. */
  add(pod: PodFacts): void {
    this.remove(pod.uid);
    this.#pods.set(pod.uid, pod);
    this.#count(pod, 1);
  }

  remove(uid: string): PodFacts | undefined {
    const pod = this.#pods.get(uid);
    if (pod === undefined) return undefined;
    this.#pods.delete(uid);
    this.#count(pod, -1);
    return pod;
  }

  /** A copy whose pods can change. */
  copy(): NodeState {
    return new NodeState(this.node, this.pods);
  }

  #count(pod: PodFacts, sign: 1 | -1): void {
    addTo(this.#requested, pod.requests, sign);
    addTo(this.#scoredRequested, pod.scoredRequests, sign);
    if (sign > 0) this.#ports.add(pod.ports);
    else this.#ports.remove(pod.ports);
    if (pod.repelsOthers) this.#repelling += sign;
    if (pod.hasAffinity) this.#affine += sign;
  }
}

function addTo(total: Map<string, number>, resources: Resources, sign: 1 | -1): void {
  for (const [name, amount] of resources) total.set(name, (total.get(name) ?? 0) + sign * amount);
}

function imagesOf({ status }: Node): Map<string, number> {
  const images = new Map<string, number>();
  for (const { names = [], sizeBytes = 0 } of status?.images ?? [])
    for (const name of names) images.set(name, sizeBytes);
  return images;
}
