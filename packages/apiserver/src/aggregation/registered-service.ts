import type { APIService } from '@binnacle/api/types/apiregistration-v1';

/** Where an extension API server is, and how it is verified. */
export interface BackendReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  /** PEM; empty: the authorities of the system. */
  readonly caBundle: string;
  readonly insecure: boolean;
}

/** An APIService in the form that the aggregator uses. */
export interface RegisteredService {
  readonly name: string;
  readonly uid: string;
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  /** Undefined: this server serves the group and version itself. */
  readonly backend: BackendReference | undefined;
  readonly isAvailable: boolean;
  /** Why it is available or not; empty while that is unknown. */
  readonly reason: string;
  /** The value of {@link AUTOMANAGED}. */
  readonly managed: string | undefined;
}

/** Upstream: kube-aggregator `pkg/controllers/autoregister`. */
export const AUTOMANAGED = 'kube-aggregator.kubernetes.io/automanaged';
/** The group of the APIServices themselves. No APIService can move it to a backend; otherwise a wrong one could not be repaired. */
export const OWN_GROUP = 'apiregistration.k8s.io';
const DEFAULT_PORT = 443;

export function registeredService({ metadata, spec, status }: Readonly<APIService>): RegisteredService {
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  return {
    name: metadata?.name ?? '',
    uid: metadata?.uid ?? '',
    group: spec?.group ?? '',
    version: spec?.version ?? '',
    groupPriority: spec?.groupPriorityMinimum ?? 0,
    versionPriority: spec?.versionPriority ?? 0,
    backend: backendOf(spec),
    isAvailable: available?.status === 'True',
    reason: available?.reason ?? '',
    managed: metadata?.labels?.[AUTOMANAGED],
  };
}

function backendOf(spec: APIService['spec']): BackendReference | undefined {
  if (spec?.service === undefined || spec.group === OWN_GROUP) return undefined;
  const { namespace = '', name = '', port = DEFAULT_PORT } = spec.service;
  const caBundle = Buffer.from(spec.caBundle ?? '', 'base64').toString('utf8');
  return { namespace, name, port, caBundle, insecure: spec.insecureSkipTLSVerify === true };
}

/** Where a group and version is served. The core group has a root of its own. */
export function pathOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** The name of the APIService to which a path belongs; undefined for other paths. */
export function serviceNameOfPath(path: string): string | undefined {
  const [, root, group, version] = path.split('/', 4);
  // All paths under `/api` belong to the APIService of v1, the list of versions too.
  if (root === 'api') return 'v1.';
  if (root !== 'apis' || group === undefined || version === undefined || version === '') return undefined;
  // No version has a dot, so the name would be that of another group.
  if (version.includes('.')) return undefined;
  return serviceName({ group, version });
}

/** The name of the APIService of a group and version. */
export function serviceName({ group, version }: { readonly group: string; readonly version: string }): string {
  return `${version}.${group}`;
}
