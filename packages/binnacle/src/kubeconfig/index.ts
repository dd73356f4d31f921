export { type KubeconfigParts, makeKubeconfig } from './kubeconfig.js';
