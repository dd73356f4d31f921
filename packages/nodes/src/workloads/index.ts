export type { ServerAddress } from './account-kubeconfig.js';
export { ImageCommandError, ImageCommands } from './image-commands.js';
export type { Clients } from './pod-contents.js';
export type { ProcessRun } from './managed-run.js';
export type { ProcessPod } from './process-pod.js';
export { ProcessPods, type ProcessPodsListener, type ProcessPodsOptions } from './process-pods.js';
export type { LocalAddress } from './service-variables.js';
