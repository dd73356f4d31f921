export { buildFrom, DisposalStack } from './disposal-stack.js';
