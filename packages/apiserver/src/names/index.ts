export { checkPathSegment } from './path-segment.js';
export { generateName, randomSuffix } from './random-names.js';
