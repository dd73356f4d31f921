import type { Steps } from '@binnacle/apimachinery/work';
import {
  type Attempt,
  type FilterRunner,
  inSteps,
  isSteps,
  type MaybeSteps,
  type NodeState,
  type Plugin,
  type PodFacts,
  type Status,
  success,
} from '../framework/index.js';
import type { Profile } from './profile.js';

/** Runs the filters of a profile, and keeps their state right while pods of a node are added and removed. */
export class Filters implements FilterRunner {
  readonly #filtering: readonly Plugin[];
  readonly #adding: readonly Plugin[];
  readonly #removing: readonly Plugin[];

  /** `skipped`: the names of the plugins whose PreFilter answered Skip. */
  constructor(profile: Profile, skipped: ReadonlySet<string>) {
    const active = (point: keyof Plugin) => profile.with(point).filter(({ name }) => !skipped.has(name));
    this.#filtering = active('filter');
    this.#adding = active('addPod');
    this.#removing = active('removePod');
  }

  addPod(attempt: Attempt, added: PodFacts, node: NodeState): void {
    node.add(added);
    for (const plugin of this.#adding) plugin.addPod?.(attempt, added, node);
  }

  removePod(attempt: Attempt, removed: PodFacts, node: NodeState): void {
    node.remove(removed.uid);
    for (const plugin of this.#removing) plugin.removePod?.(attempt, removed, node);
  }

  /**
   * The node must fit with the pods that are nominated for it and are at least as important. It must also fit without
   * them, since they may never come. Upstream: `RunFilterPluginsWithNominatedPods`.
   */
  filter(attempt: Attempt, node: NodeState): MaybeSteps<Status> {
    const { pod, snapshot } = attempt;
    const nominated = snapshot.nominated(node.name);
    const rivals =
      nominated.length === 0
        ? nominated
        : nominated.filter(({ priority, uid }) => priority >= pod.priority && uid !== pod.uid);
    return rivals.length === 0 ? this.#run(attempt, node) : this.#runBeside(rivals, attempt, node);
  }

  *#runBeside(rivals: readonly PodFacts[], attempt: Attempt, node: NodeState): Steps<Status> {
    const crowded = node.copy();
    const expected: Attempt = { ...attempt, state: attempt.state.clone() };
    for (const each of rivals) {
      this.addPod(expected, each, crowded);
      yield;
    }
    const answer = yield* inSteps(this.#run(expected, crowded));
    return answer.code === 'Success' ? yield* inSteps(this.#run(attempt, node)) : answer;
  }

  /** Almost all filters answer at once. This runs for each node, so it takes no steps before a filter does. */
  #run(attempt: Attempt, node: NodeState, first = 0): MaybeSteps<Status> {
    for (let index = first; index < this.#filtering.length; index++) {
      const plugin = this.#filtering[index];
      const answer = plugin?.filter?.(attempt, node) ?? success;
      if (isSteps(answer)) return this.#runFrom(index, answer, attempt, node);
      if (answer.code !== 'Success') return { ...answer, plugin: plugin?.name ?? '' };
    }
    return success;
  }

  *#runFrom(index: number, steps: Steps<Status>, attempt: Attempt, node: NodeState): Steps<Status> {
    const answer = yield* steps;
    if (answer.code !== 'Success') return { ...answer, plugin: this.#filtering[index]?.name ?? '' };
    return yield* inSteps(this.#run(attempt, node, index + 1));
  }
}
