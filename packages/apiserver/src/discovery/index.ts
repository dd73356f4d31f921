export { createDiscovery, type Discovery, type DiscoveryOptions } from './discovery.js';
export {
  combineSources,
  type DiscoveredGroup,
  type DiscoveredResource,
  type DiscoveredSubresource,
  type DiscoveredVersion,
  type DiscoverySource,
  servedSource,
} from './source.js';
export { compareVersions } from './version-order.js';
export { releaseVersion, versionInfo } from './version.js';
