export { withEntries, withoutEntries } from './edit-kubeconfig.js';
