export { kubeletClientProblem, kubeletServingProblem } from './kubelet-rules.js';
export { isApproved, isDecided, isFailed, isIssued } from './state.js';
