/** A group and a version; the core group is `''`. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

export interface GroupVersionResource extends GroupVersion {
  /** Plural, lower case: `pods`. */
  readonly resource: string;
}

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** `apps/v1`, or `v1` for the core group: the form in `apiVersion`. */
export function formatGroupVersion(groupVersion: GroupVersion): string {
  return groupVersion.group === '' ? groupVersion.version : `${groupVersion.group}/${groupVersion.version}`;
}

/** Parses an `apiVersion`; undefined if it has more than one slash. */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  if (apiVersion.indexOf('/', slash + 1) >= 0) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** `deployments.apps`, or `pods` for the core group: the form in errors and logs. */
export function formatGroupResource(resource: GroupResource): string {
  return resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
}

/** `Deployment.apps`, or `Pod` for the core group. */
export function formatGroupKind(kind: GroupKind): string {
  return kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
}
