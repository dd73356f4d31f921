export { createDeploymentLoop } from './deployment-loop.js';
