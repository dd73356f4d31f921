export { buildFrom, DisposalStack, disposeTogether } from './disposal-stack.js';
