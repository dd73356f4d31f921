export type { RequestInfo } from './request-info.js';
