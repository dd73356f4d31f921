export { eventually, type EventuallyOptions } from './eventually.js';
export { FakeCollection } from './fake-collection.js';
export { FakeObjects } from './fake-objects.js';
export { FakeStore } from './fake-store.js';
export { frozen } from './frozen.js';
export { settle, VirtualClock } from '@binnacle/apimachinery/clock';
export { RecordedEvents } from './recorded-events.js';
export { type ScriptedAnswer, ScriptedTransport } from './scripted-transport.js';
export { waitFor, waitForDeletion, type WaitForOptions } from './wait-for.js';
