export { answerText, drained } from './answer.js';
export { isValidAt } from './certificate-validity.js';
export { handedServer } from './handed-server.js';
export { type CreateServer, Listeners } from './listeners.js';
export { type PodSource } from './pod-source.js';
export { type ProcessAccess } from './process-access.js';
export { type Kubelets, serveKubelets, type ServeKubeletsOptions } from './serve-kubelets.js';
