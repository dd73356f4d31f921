/** What serves custom resources. It is large, and most servers never see a definition: the first one brings it. */
export { CustomResource } from './custom-resource.js';
export { updateStatus } from './desired-status.js';
