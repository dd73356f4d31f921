/**
 * CPU of reads behind the filters, over the memory store: gets of the newest and of any state, lists of 500 objects, pages of 50 at a past revision, and
 * watches that open with 500 objects and close. With `--against` in turns with another checkout.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { measureInTurns } from '../support/in-turns.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    reads: { type: 'string', default: '2000' },
    against: { type: 'string' },
  },
});
const OBJECTS = 500;
const reads = Number(values.reads);
const url = '/api/v1/namespaces/default/configmaps';

async function open(checkout) {
  const module = pathToFileURL(resolve(checkout, 'packages/apiserver/dist/testing/index.js')).href;
  const { answer, configMap, testResource } = await import(module);
  const resource = testResource();
  const key = (index) => `/registry/configmaps/default/object-${String(index).padStart(4, '0')}`;
  for (let index = 0; index < OBJECTS; index++) {
    const object = configMap(key(index).slice(-11), { data: { padding: 'x'.repeat(1024) } });
    await resource.storage.create(key(index), object, undefined);
  }
  const past = await resource.storage.currentRevision();
  await resource.storage.create(key(OBJECTS), configMap('last'), undefined);
  // Each reading of this clock is ten seconds later, so a watch of one second ends after its initial events.
  let time = 0;
  const later = () => (time += 10_000);
  const setTimer = (...parameters) => resource.clock.setTimer(...parameters);
  const endpoint = { ...resource.endpoint, clock: { now: later, monotonic: later, setTimer } };
  const read = async (address) => {
    const { status } = await answer(endpoint, { url: address });
    if (status !== 200) throw new Error(`${address}: ${status}`);
  };
  const works = {
    get: [reads, () => read(`${url}/object-0007`)],
    getAny: [reads, () => read(`${url}/object-0007?resourceVersion=0`)],
    list: [reads / 50, () => read(url)],
    page: [reads / 10, () => read(`${url}?limit=50&resourceVersion=${past}`)],
    watch: [reads / 50, () => read(`${url}?watch=true&resourceVersion=0&timeoutSeconds=1`)],
  };
  return { works, close: () => resource[Symbol.asyncDispose]() };
}

const checkouts = ['.', ...(values.against === undefined ? [] : [values.against])];
await measureInTurns(checkouts, Number(values.rounds), open);
