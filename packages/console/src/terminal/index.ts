export { runTop, type TopOptions } from './top.js';
