import type { Timer } from '@binnacle/apimachinery/clock';
import { SharedInformerFactory } from '@binnacle/client/cache';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { isConflict, isNotFound } from '@binnacle/client/rest';
import { type NodeBehaviour, nextPodStep, type PodStep } from './next-pod-step.js';
import { bindPod, finishPod, type PodActor, removePod, runPod } from './pods.js';

/** A scheduler and kubelets. They act on pods by the clock and make no mistakes. */
export class SimulatedNodes {
  /** Tests may change it at any time. */
  behaviour: NodeBehaviour;
  readonly #actor: PodActor;
  readonly #informers: SharedInformerFactory;
  readonly #planned = new Map<string, { readonly type: PodStep['type']; readonly timer: Timer }>();

  constructor(actor: PodActor, behaviour: NodeBehaviour) {
    this.#actor = actor;
    this.behaviour = behaviour;
    this.#informers = new SharedInformerFactory(actor.client, { clock: actor.clock });
  }

  /** Creates the nodes `node-0` and so on, and takes care of pods until the signal fires. */
  async run(count: number, signal: AbortSignal): Promise<void> {
    for (let index = 0; index < count; index++) await this.create(`node-${index}`);
    const pods = this.#informers.informer(Pod);
    pods.addHandler({
      onAdd: (pod) => this.#consider(pod),
      onUpdate: (_, pod) => this.#consider(pod),
      onDelete: (pod) => this.#forget(pod),
    });
    const considerAll = () => pods.indexer.list().forEach((pod) => this.#consider(pod));
    this.#informers.informer(Node).addHandler({ onAdd: considerAll, onUpdate: considerAll });
    await this.#informers.run(signal);
    for (const { timer } of this.#planned.values()) timer[Symbol.dispose]();
  }

  /** Creates a ready node. */
  async create(name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
    const now = new Date(this.#actor.clock.now()).toISOString().replace(/\.\d+/, '');
    const times = { lastHeartbeatTime: now, lastTransitionTime: now };
    const capacity = { cpu: '16', memory: '64Gi', pods: '1000' };
    const metadata = { name, labels: { 'kubernetes.io/hostname': name, ...labels } };
    const nodes = this.#actor.client.resource(Node);
    await nodes.create({ apiVersion: 'v1', kind: 'Node', metadata });
    const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady', ...times }];
    // Patches, since loops may change the node in the meantime.
    const status = { capacity, allocatable: capacity, conditions };
    await nodes.status.patch(name, { type: 'strategic', body: { status } });
    await nodes.patch(name, { type: 'merge', body: { spec: { taints: null } } });
  }

  #consider(pod: Pod): void {
    const { uid = '' } = pod.metadata;
    const nodes = this.#informers.informer(Node).indexer.list();
    const step = nextPodStep(pod, nodes, this.behaviour);
    const planned = this.#planned.get(uid);
    if (planned?.type === step?.type) return;
    planned?.timer[Symbol.dispose]();
    this.#planned.delete(uid);
    if (step === undefined) return;
    const timer = this.#actor.clock.setTimer(() => void this.#act(pod, step), step.after);
    this.#planned.set(uid, { type: step.type, timer });
  }

  #forget({ metadata: { uid = '' } }: Pod): void {
    this.#planned.get(uid)?.timer[Symbol.dispose]();
    this.#planned.delete(uid);
  }

  /** Does nothing if the pod has gone in the meantime. */
  async #act(pod: Pod, step: PodStep): Promise<void> {
    const { namespace = '', name = '' } = pod.metadata;
    const latest = this.#informers.informer(Pod).lister.namespace(namespace).get(name) ?? pod;
    await this.#perform(latest, step).catch((error: unknown) => {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    });
  }

  async #perform(pod: Pod, step: PodStep): Promise<void> {
    switch (step.type) {
      case 'bind':
        return bindPod(this.#actor, pod, step.node);
      case 'run':
        return runPod(this.#actor, pod);
      case 'finish':
        return finishPod(this.#actor, pod, step.exitCode);
      case 'remove':
        return removePod(this.#actor, pod);
    }
  }
}
