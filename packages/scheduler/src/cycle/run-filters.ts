import type { Steps } from '@binnacle/apimachinery/work';
import {
  type Attempt,
  type FilterRunner,
  inSteps,
  type NodeState,
  type Plugin,
  type PodFacts,
  type Status,
  success,
} from '../framework/index.js';
import type { Profile } from './profile.js';

/** Runs the filters of a profile, and keeps their state right while pods of a node are added and removed. */
export class Filters implements FilterRunner {
  readonly #profile: Profile;

  constructor(profile: Profile) {
    this.#profile = profile;
  }

  addPod(attempt: Attempt, added: PodFacts, node: NodeState): void {
    node.add(added);
    for (const plugin of this.#active(attempt, 'addPod')) plugin.addPod?.(attempt, added, node);
  }

  removePod(attempt: Attempt, removed: PodFacts, node: NodeState): void {
    node.remove(removed.uid);
    for (const plugin of this.#active(attempt, 'removePod')) plugin.removePod?.(attempt, removed, node);
  }

  /**
   * The node must fit with the pods that are nominated for it and are at least as important. It must also fit without
   * them, since they may never come. Upstream: `RunFilterPluginsWithNominatedPods`.
   */
  *filter(attempt: Attempt, node: NodeState): Steps<Status> {
    const { pod, snapshot, state } = attempt;
    const nominated = snapshot
      .nominated(node.name)
      .filter(({ priority, uid }) => priority >= pod.priority && uid !== pod.uid);
    if (nominated.length === 0) return yield* this.#run(attempt, node);
    const crowded = node.copy();
    const expected: Attempt = { ...attempt, state: state.clone() };
    for (const each of nominated) {
      this.addPod(expected, each, crowded);
      yield;
    }
    const answer = yield* this.#run(expected, crowded);
    return answer.code === 'Success' ? yield* this.#run(attempt, node) : answer;
  }

  *#run(attempt: Attempt, node: NodeState): Steps<Status> {
    for (const plugin of this.#active(attempt, 'filter')) {
      const status = yield* inSteps(plugin.filter?.(attempt, node) ?? success);
      if (status.code !== 'Success') return { ...status, plugin: plugin.name };
    }
    return success;
  }

  *#active({ state }: Attempt, point: keyof Plugin): Generator<Plugin> {
    for (const plugin of this.#profile.with(point)) if (!state.skippedFilters.has(plugin.name)) yield plugin;
  }
}
