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
    throw failure(kubeconfig, `no current-context is set, and none was asked for; ${available(kubeconfig.contexts)}`);
  }
  const context = name === undefined ? undefined : entryOf(kubeconfig, 'context', name, kubeconfig.contexts);
  const names = { cluster: selection.cluster ?? context?.cluster ?? '', user: selection.user ?? context?.user ?? '' };
  const described = (what: string) => (name === undefined ? what : `${what} of context "${name}"`);
  return {
    cluster: entryOf(kubeconfig, described('cluster'), names.cluster, kubeconfig.clusters),
    user: entryOf(kubeconfig, described('user'), names.user, kubeconfig.users),
    namespace: selection.namespace ?? context?.namespace ?? 'default',
    names,
  };
}

function entryOf<T>(kubeconfig: Kubeconfig, what: string, name: string, entries: ReadonlyMap<string, T>): T {
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  const problem = name === '' ? `the ${what} is not given` : `the ${what}, "${name}", does not exist`;
  throw failure(kubeconfig, `${problem}; ${available(entries)}`);
}

function available(entries: ReadonlyMap<string, unknown>): string {
  return entries.size === 0 ? 'there are none' : `there are: ${[...entries.keys()].join(', ')}`;
}

function failure(kubeconfig: Kubeconfig, problem: string): KubeconfigError {
  return new KubeconfigError(`${kubeconfig.origins.join(', ')}: ${problem}`);
}
