export { generateName, randomSuffix } from './random-names.js';
