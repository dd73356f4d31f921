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
