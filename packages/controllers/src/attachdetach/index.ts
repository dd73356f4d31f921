export { createAttachDetachLoop } from './attach-detach-loop.js';
