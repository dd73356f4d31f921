/** The code that serves custom resources. It is large, so it loads with the first definition. */
export { CustomResource } from './custom-resource.js';
export { updateStatus } from './desired-status.js';
