import type { Steps } from '@binnacle/apimachinery/work';
import { type Attempt, inSteps, type Status, success, unresolvable } from '../framework/index.js';
import type { Profile } from './profile.js';

export interface PreFiltered {
  /** Not Success: no node fits. */
  readonly status: Status;
  /** Only these nodes can fit; undefined if all can. */
  readonly nodeNames: ReadonlySet<string> | undefined;
  /** The plugins that named the nodes. */
  readonly naming: readonly string[];
}

/** Runs the PreFilter plugins until one rejects the pod. */
export function* runPreFilters(profile: Profile, attempt: Attempt): Steps<PreFiltered> {
  let nodeNames: ReadonlySet<string> | undefined;
  const naming: string[] = [];
  for (const plugin of profile.with('preFilter')) {
    const computed = plugin.preFilter?.(attempt);
    if (computed === undefined) continue;
    const result = yield* inSteps(computed);
    const { status } = result;
    if (status.code === 'Skip') attempt.state.skippedFilters.add(plugin.name);
    else if (status.code !== 'Success') return { status: { ...status, plugin: plugin.name }, nodeNames, naming };
    if (result.nodeNames === undefined) continue;
    naming.push(plugin.name);
    const before = nodeNames;
    nodeNames = before === undefined ? result.nodeNames : intersection(before, result.nodeNames);
    if (nodeNames.size === 0) return { status: { ...noNode(naming), plugin: plugin.name }, nodeNames, naming };
  }
  return { status: success, nodeNames, naming };
}

function noNode(naming: readonly string[]): Status {
  if (naming.length === 1) return unresolvable(`node(s) didn't satisfy plugin ${naming[0]}`);
  return unresolvable(`node(s) didn't satisfy plugin(s) [${naming.toSorted().join(' ')}] simultaneously`);
}

function intersection(one: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> {
  return new Set([...one].filter((name) => other.has(name)));
}
