export { createZPages, type ZPages, type ZPagesOptions } from './zpages.js';
