export { createPersistentVolumeLoop } from './persistent-volume-loop.js';
