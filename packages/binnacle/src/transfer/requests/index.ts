export type { ImportRequest } from './request.js';
