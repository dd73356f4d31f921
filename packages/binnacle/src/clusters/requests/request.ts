/** The arguments of `binnacle cluster`. */
export type ClusterRequest =
  | ({ readonly action: 'create'; readonly nodes: number } & Starting)
  | ({ readonly action: 'start' } & Starting)
  | { readonly action: 'stop'; readonly name: string }
  | { readonly action: 'delete'; readonly name: string; readonly kubeconfig?: string }
  | { readonly action: 'list'; readonly output?: 'json' | 'name' }
  | { readonly action: 'kubeconfig'; readonly name: string };

interface Starting {
  readonly name: string;
  /** How long the server and its nodes may take to be ready. */
  readonly waitMs: number;
  /** The file to add the context to. Default: as kubectl finds it. */
  readonly kubeconfig?: string;
}

export type RequestOf<A extends ClusterRequest['action']> = Extract<ClusterRequest, { readonly action: A }>;
