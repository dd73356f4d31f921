export { revisionHash, revisionName } from './revision-name.js';
export { prepareTemplateHash, templateHash } from './template-hash.js';
