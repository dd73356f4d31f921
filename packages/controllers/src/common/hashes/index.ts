export { fnv32, fnv32a, safeEncode } from './fnv.js';
export { revisionHash, revisionName } from './revision-name.js';
export { templateHash } from './template-hash.js';
