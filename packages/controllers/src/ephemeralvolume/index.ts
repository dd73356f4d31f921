export { createEphemeralVolumeLoop } from './ephemeral-volume-loop.js';
