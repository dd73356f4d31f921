export { checkNamespace, placeInNamespace } from './namespace.js';
export { checkPathSegment } from './path-segment.js';
export { generateName, randomSuffix } from './random-names.js';
