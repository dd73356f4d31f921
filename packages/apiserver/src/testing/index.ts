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
