export { compiledPatterns, EXPRESSION_TOO_LARGE } from './compiled-patterns.js';
export {
  firstMatch,
  isLongSearch,
  searchPattern,
  sizeOfPattern,
  takeInstructions,
  type Threads,
  threadsOf,
} from './pattern-search.js';
export { compilationWork } from './pattern-size.js';
