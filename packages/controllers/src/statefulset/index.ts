export { createStatefulSetLoop } from './statefulset-loop.js';
