export { describeWatchCacheModes, type WatchCacheMode } from './watch-cache-modes.js';
export {
  configMap,
  type TestResource,
  type TestResourceOptions,
  testResource,
  testScope,
  watchedEvents,
  withMethods,
} from './test-resource.js';
export { type Answer, answer } from './answer.js';
export { FakeBackend, messageOf, type Reaction, type ReceivedRequest } from './fake-backend.js';
export { FakeExchange, type FakeRequest } from './fake-exchange.js';
export { withDamagedValue } from './damaged-value.js';
export { makeTestCertificate, type TestCertificate } from './test-certificate.js';
