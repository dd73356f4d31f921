export { type KubeconfigParts, makeKubeconfig } from './kubeconfig.js';
export { withEntries, withoutEntries } from './edit-kubeconfig.js';
