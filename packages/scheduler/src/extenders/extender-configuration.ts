/** An extender of a KubeSchedulerConfiguration, with its defaults. An empty verb: it has no say at this point. */
export interface ExtenderConfiguration {
  readonly urlPrefix: string;
  readonly filterVerb: string;
  readonly preemptVerb: string;
  readonly prioritizeVerb: string;
  readonly bindVerb: string;
  /** Multiplies its scores. */
  readonly weight: number;
  readonly timeoutMs: number;
  /** It knows the nodes, so it gets only their names. */
  readonly nodeCacheCapable: boolean;
  /** It is asked about pods with one of these resources. Empty: about all pods. */
  readonly managedResources: readonly string[];
  readonly isIgnorable: boolean;
  readonly tls: ExtenderTls;
}

/** Text is PEM, and takes precedence over files. */
export interface ExtenderTls {
  readonly insecure: boolean;
  readonly serverName: string | undefined;
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Those whose failure does not matter are asked last. Upstream: `buildExtenders`. */
export function inOrder(extenders: readonly ExtenderConfiguration[]): readonly ExtenderConfiguration[] {
  return [...extenders.filter((each) => !each.isIgnorable), ...extenders.filter((each) => each.isIgnorable)];
}
