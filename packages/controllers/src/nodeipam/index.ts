export { createNodeIpamLoop } from './node-ipam-loop.js';
