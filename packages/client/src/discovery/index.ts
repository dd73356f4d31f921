export type {
  ApiGroup,
  ApiResource,
  ApiSubresource,
  ApiSurface,
  ApiVersion,
  DiscoveryFailure,
} from './api-surface.js';
export { DiscoveryClient } from './discovery-client.js';
export { type KindQuery, NoMatchError, type ResourceQuery, RestMapper } from './rest-mapper.js';
