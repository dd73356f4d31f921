/**
 * What is measured on each server, in this order: `{ figure, operations, prepare(client, target), run(client, prepared) }`; what `prepare` does is not
 * counted. The objects of one play serve the next.
 */
import { openWatches } from '../support/client.mjs';
import { inParallel } from '../support/figures.mjs';

const IN_FLIGHT = 64;
const LISTS = 10;
const EVENTS = 200;

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

const generation = (value) => JSON.stringify({ metadata: { labels: { generation: `${value}` } } });

/** `objects` are created cold, by a server that has just started, and then as many again. */
export function playsOf({ shape, objects, watchers }) {
  const { collection, path, body, strategic } = shape;
  const play = (figure, operations, run) => ({
    figure,
    operations,
    run: (client) => inParallel(operations, IN_FLIGHT, (index) => run(client, index)),
  });
  const create = (client, index) => client.send('POST', collection, JSON.stringify(body(index)));
  const update = async (client, index) => {
    const object = await client.read(path(index));
    object.metadata.labels = { ...object.metadata.labels, generation: '1' };
    await client.send('PUT', path(index), JSON.stringify(object));
  };
  const patch =
    (type, value, query = '') =>
    (client, index) =>
      client.send('PATCH', `${path(index)}${query}`, value, type);
  const apply = (client, index) => {
    const { apiVersion, kind, metadata } = body(index);
    const intent = { apiVersion, kind, metadata: { name: metadata.name, labels: { applied: 'yes' } } };
    return client.send('PATCH', `${path(index)}?fieldManager=bench`, JSON.stringify(intent), APPLY);
  };
  return [
    play(`create, the first ${objects}`, objects, create),
    play('create, warm', objects, (client, index) => create(client, objects + index)),
    play('get', objects * 2, (client, index) => client.send('GET', path(index))),
    play('get and update', objects, update),
    play('merge patch', objects, patch(MERGE, generation(2))),
    ...(strategic ? [play('strategic merge patch', objects, patch(STRATEGIC, generation(3)))] : []),
    play('apply', objects, apply),
    {
      figure: `list of ${objects * 2}`,
      operations: LISTS,
      run: (client) => inParallel(LISTS, 1, () => client.send('GET', collection)),
    },
    {
      figure: `watch delivery, ${watchers} watchers, the first ${EVENTS} events, with its share of the writes`,
      operations: EVENTS * watchers,
      prepare: (client, target) => watch({ client, target, shape, watchers }),
      run: (client, watching) => deliver(client, (event) => path(event % objects), watching),
    },
    play('delete', objects * 2, (client, index) => client.send('DELETE', `${path(index)}?gracePeriodSeconds=0`)),
  ];
}

/** Resolves when the watches are open. */
async function watch({ client, target, shape, watchers }) {
  const { resourceVersion } = (await client.read(`${shape.collection}?limit=1`)).metadata;
  const watched = `${shape.collection}?watch=1&resourceVersion=${resourceVersion}`;
  const watching = openWatches(() => target.connect(), watchers, watched, EVENTS);
  await watching.open;
  return watching;
}

/** One writer, and watchers who read every event. */
async function deliver(client, pathOf, watching) {
  for (let event = 0; event < EVENTS; event++) {
    await client.send('PATCH', pathOf(event), generation(100 + event), MERGE);
  }
  await watching.done;
  watching.close();
}
