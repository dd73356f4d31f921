import type { Cluster, Kubeconfig, User } from './document.js';
import { KubeconfigError } from './kubeconfig-error.js';

/** Overrides of the current context. */
export interface Selection {
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
}

export interface SelectedContext {
  readonly cluster: Cluster;
  readonly user: User;
  /** Default: `default`. */
  readonly namespace: string;
  /** The cluster's and user's names, for messages. */
  readonly names: { readonly cluster: string; readonly user: string };
}

/** The cluster and user of a context. Throws a {@link KubeconfigError} that lists the existing names if one is missing. */
export function selectContext(kubeconfig: Kubeconfig, selection: Selection = {}): SelectedContext {
  const name = selection.context ?? kubeconfig.currentContext;
  if (name === undefined && (selection.cluster === undefined || selection.user === undefined)) {
    throw failure(
      kubeconfig,
      `no current-context is set, and no context is given; ${available('context', kubeconfig.contexts)}`,
    );
  }
  const context = name === undefined ? undefined : entryOf(kubeconfig, 'context', name, kubeconfig.contexts);
  const names = { cluster: selection.cluster ?? context?.cluster ?? '', user: selection.user ?? context?.user ?? '' };
  const ofContext = name === undefined ? '' : ` of context "${name}"`;
  return {
    cluster: entryOf(kubeconfig, 'cluster', names.cluster, kubeconfig.clusters, ofContext),
    user: entryOf(kubeconfig, 'user', names.user, kubeconfig.users, ofContext),
    namespace: selection.namespace ?? context?.namespace ?? 'default',
    names,
  };
}

type EntryKind = 'context' | 'cluster' | 'user';

/** `where` is part of the message. */
function entryOf<T>(
  kubeconfig: Kubeconfig,
  kind: EntryKind,
  name: string,
  entries: ReadonlyMap<string, T>,
  where = '',
): T {
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  const problem = name === '' ? `the ${kind}${where} is not given` : `${kind} "${name}"${where} does not exist`;
  throw failure(kubeconfig, `${problem}; ${available(kind, entries)}`);
}

function available(kind: EntryKind, entries: ReadonlyMap<string, unknown>): string {
  return entries.size === 0 ? `there are no ${kind}s` : `the ${kind}s are: ${[...entries.keys()].join(', ')}`;
}

function failure(kubeconfig: Kubeconfig, problem: string): KubeconfigError {
  return new KubeconfigError(`${kubeconfig.origins.join(', ')}: ${problem}`);
}
