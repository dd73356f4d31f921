import { type Filter, parseRequestInfo } from '../request/index.js';

/** Sets `context.info`. */
export const requestInfo: Filter = {
  name: 'request-info',
  enter: (context) => {
    context.info = parseRequestInfo(context.exchange.method, context.path, context.query);
  },
};
