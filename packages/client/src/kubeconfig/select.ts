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
    throw fault(kubeconfig, `no current-context is set, and none was asked for; ${present(kubeconfig.contexts)}`);
  }
  const context = name === undefined ? undefined : entryOf(kubeconfig, 'context', name, kubeconfig.contexts);
  const names = { cluster: selection.cluster ?? context?.cluster ?? '', user: selection.user ?? context?.user ?? '' };
  const wanting = (what: string) => (name === undefined ? what : `${what} of context "${name}"`);
  return {
    cluster: entryOf(kubeconfig, wanting('cluster'), names.cluster, kubeconfig.clusters),
    user: entryOf(kubeconfig, wanting('user'), names.user, kubeconfig.users),
    namespace: selection.namespace ?? context?.namespace ?? 'default',
    names,
  };
}

function entryOf<T>(kubeconfig: Kubeconfig, what: string, name: string, entries: ReadonlyMap<string, T>): T {
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  const problem = name === '' ? `the ${what} is not given` : `the ${what}, "${name}", does not exist`;
  throw fault(kubeconfig, `${problem}; ${present(entries)}`);
}

function present(entries: ReadonlyMap<string, unknown>): string {
  return entries.size === 0 ? 'there are none' : `there are: ${[...entries.keys()].join(', ')}`;
}

function fault(kubeconfig: Kubeconfig, problem: string): KubeconfigError {
  return new KubeconfigError(`${kubeconfig.origins.join(', ')}: ${problem}`);
}
