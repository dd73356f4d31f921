export { requestLog } from './request-log.js';
