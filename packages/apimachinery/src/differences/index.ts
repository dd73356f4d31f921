export { type Change, changesBetween, touches } from './changes.js';
export { elementKey, elementSegment, type Leaf, type Leaves, leavesOf, type Path, pathText } from './leaves.js';
