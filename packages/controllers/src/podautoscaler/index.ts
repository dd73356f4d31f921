export { createAutoscalerLoop } from './autoscaler-loop.js';
