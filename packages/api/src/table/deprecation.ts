import { formatGroupVersion } from '@binnacle/apimachinery/meta';
import type { ResourceFacts } from './resource-facts.js';

interface Deprecation {
  readonly deprecated: string;
  /** `group,version,kind`. */
  readonly replacement?: string;
}

/** Deprecations that upstream declares in its storage rather than its types, by definition name. */
const deprecatedInStorage: ReadonlyMap<string, Deprecation> = new Map([
  ['io.k8s.api.core.v1.ComponentStatus', { deprecated: '1.19' }],
  ['io.k8s.api.core.v1.Endpoints', { deprecated: '1.33', replacement: 'discovery.k8s.io,v1,EndpointSlice' }],
]);

function isAtMost(release: string, current: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  const [currentMajor = 0, currentMinor = 0] = current.split('.').map(Number);
  return major < currentMajor || (major === currentMajor && minor <= currentMinor);
}

/**
 * The text of the Warning header in responses for a deprecated resource; undefined if the resource is not deprecated in
 * `release`, e.g. `1.36`. Upstream: apiserver `endpoints/deprecation`.
 */
export function deprecationWarning(resource: ResourceFacts, release: string): string | undefined {
  const { deprecated, replacement } = deprecatedInStorage.get(resource.definition) ?? resource;
  if (deprecated === undefined || !isAtMost(deprecated, release)) return undefined;
  const removed = resource.removed === undefined ? '' : `, unavailable in v${resource.removed}+`;
  const [group = '', version = '', kind = ''] = replacement?.split(',') ?? [];
  const instead = replacement === undefined ? '' : `; use ${formatGroupVersion({ group, version })} ${kind}`;
  return `${formatGroupVersion(resource)} ${resource.kind} is deprecated in v${deprecated}+${removed}${instead}`;
}
