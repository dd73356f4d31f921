export { revisionHash, revisionName } from './revision-name.js';
export { templateHash } from './template-hash.js';
