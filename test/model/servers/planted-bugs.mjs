import { proxyKV } from './proxy-kv.mjs';

/** Only the traffic's writes are affected, because the server itself has to start. */
const isTraffic = (key) => key.includes('/model-') && !key.includes('/namespaces/');
const trafficIn = (batch) => batch.events.some((event) => isTraffic(event.key));

/** Passes every `period`th batch of the traffic to `sink` through `badly(batch)`, and all others unchanged. */
function everyBatch(period, badly) {
  return (kv) =>
    proxyKV(kv, {
      watch: (request, sink, signal) => {
        let count = 0;
        const state = {};
        kv.watch(
          request,
          {
            batch: (batch) => {
              if (!trafficIn(batch)) return sink.batch(batch);
              count += 1;
              return badly(sink, batch, count % period === 0, state);
            },
            progress: (revision) => sink.progress(revision),
            ended: (error) => sink.ended(error),
          },
          signal,
        );
      },
    });
}

/** Passes every `period`th write of the traffic through `badly(request)`. */
function everyWrite(period, badly) {
  return (kv) => {
    let count = 0;
    return proxyKV(kv, {
      txn: (request, signal) => {
        if (!isTraffic(request.key)) return kv.txn(request, signal);
        count += 1;
        return count % period === 0 ? badly(kv, request, signal) : kv.txn(request, signal);
      },
    });
  };
}

/** Broken promises of a store, or of the path from it. `round`: the options of a round that shows the bug. */
export const plantedBugs = {
  'drop one event': {
    plant: everyBatch(40, (sink, batch, bad) => {
      if (!bad) sink.batch(batch);
    }),
  },
  'swap two events': {
    plant: everyBatch(10, (sink, batch, bad, state) => {
      if (bad) {
        state.held = batch;
        return;
      }
      sink.batch(batch);
      if (state.held !== undefined) sink.batch(state.held);
      state.held = undefined;
    }),
  },
  'repeat one event': {
    plant: everyBatch(40, (sink, batch, bad) => {
      sink.batch(batch);
      if (bad) sink.batch(batch);
    }),
  },
  'lose an acknowledged write': {
    plant: everyWrite(40, async (kv, request, signal) => {
      const { revision } = await kv.status(signal);
      return { succeeded: true, revision: revision + 1 };
    }),
  },
  'do a write twice': {
    plant: everyWrite(40, async (kv, request, signal) => {
      const first = await kv.txn(request, signal);
      if (!first.succeeded || request.operation.type === 'delete') return first;
      return kv.txn({ ...request, expectedRevision: first.revision }, signal);
    }),
  },
  'do a write and refuse it': {
    plant: everyWrite(20, async (kv, request, signal) => {
      const result = await kv.txn(request, signal);
      if (!result.succeeded || request.expectedRevision !== 0) return result;
      const { items } = await kv.range({ prefix: request.key, exact: true }, signal);
      return { succeeded: false, revision: result.revision, ...(items[0] === undefined ? {} : { current: items[0] }) };
    }),
  },
  'accept a stale fencing token': {
    // A stale cache suggests an older version, and only the store can tell.
    round: { lagMs: 60 },
    plant: everyWrite(1, async (kv, request, signal) => {
      const result = await kv.txn(request, signal);
      if (result.succeeded || result.current === undefined || request.expectedRevision === 0) return result;
      return kv.txn({ ...request, expectedRevision: result.current.modRevision }, signal);
    }),
  },
  'answer a stale read': {
    // Events come late, and the store reports no newer revision than those events.
    plant: (kv) => {
      let delivered = 0;
      return proxyKV(kv, {
        currentRevision: async (signal) => delivered || kv.currentRevision(signal),
        watch: (request, sink, signal) => {
          const later = (call) => setTimeout(() => (signal.aborted ? undefined : call()), 30);
          kv.watch(
            request,
            {
              batch: (batch) => later(() => sink.batch(batch)),
              progress: (revision) =>
                later(() => {
                  delivered = Math.max(delivered, revision);
                  sink.progress(revision);
                }),
              ended: (error) => later(() => sink.ended(error)),
            },
            signal,
          );
        },
      });
    },
  },
  'announce progress ahead of events': {
    // Bookmarks need time.
    round: { seconds: 6, watchers: 12 },
    plant: (kv) =>
      proxyKV(kv, {
        watch: (request, sink, signal) => {
          const held = [];
          const release = () => {
            if (!signal.aborted) for (const batch of held.splice(0)) sink.batch(batch);
          };
          kv.watch(
            request,
            {
              batch: (batch) => {
                held.push(batch);
                if (held.length === 1) setTimeout(release, 40);
              },
              progress: (revision) => sink.progress(revision),
              ended: (error) => sink.ended(error),
            },
            signal,
          );
        },
      }),
  },
  'answer history with the present': {
    // The cache has recent states itself, and would never ask the store.
    server: { watchCache: false },
    plant: (kv) =>
      proxyKV(kv, {
        range: (request, signal) => {
          const { revision: _, ...rest } = request;
          return kv.range(rest, signal);
        },
      }),
  },
  'begin a watch one revision late': {
    plant: (kv) =>
      proxyKV(kv, {
        watch: ({ prefix, fromRevision }, sink, signal) => {
          const late = (batch) => {
            if (batch.revision > fromRevision + 1) sink.batch(batch);
          };
          kv.watch({ prefix, fromRevision }, { ...bound(sink), batch: late }, signal);
        },
      }),
  },
  'forget what an object was before': {
    // Only a watch from before the server's start depends on the store's history.
    round: { faults: ['restart'], seconds: 4 },
    plant: (kv) =>
      proxyKV(kv, {
        watch: (request, sink, signal) => {
          const forget = (event) => {
            if (event.type === 'delete' || event.previous === undefined) return event;
            const { previous: _, ...rest } = event;
            return rest;
          };
          const batch = ({ revision, events }) => sink.batch({ revision, events: events.map(forget) });
          kv.watch(request, { ...bound(sink), batch }, signal);
        },
      }),
  },
  'change a write afterwards': {
    plant: everyWrite(30, async (kv, request, signal) => {
      const result = await kv.txn(request, signal);
      if (!result.succeeded || request.operation.type === 'delete') return result;
      const { items } = await kv.range({ prefix: request.key, exact: true }, signal);
      const text = Buffer.from(items[0].value)
        .toString()
        .replace(/-[0-9]+"/g, '-0"');
      await kv.txn(
        { ...request, expectedRevision: result.revision, operation: { type: 'put', value: Buffer.from(text) } },
        signal,
      );
      return result;
    }),
  },
};

function bound(sink) {
  return {
    batch: (batch) => sink.batch(batch),
    progress: (revision) => sink.progress(revision),
    ended: (error) => sink.ended(error),
  };
}

export function plantBug(name, kv) {
  const bug = plantedBugs[name];
  if (bug === undefined) throw new Error(`no such bug: ${name}`);
  return bug.plant(kv);
}

/** The options of the server with which the bug shows, by the bug's name. */
export function serverOptionsFor(name) {
  return name === undefined ? {} : (plantedBugs[name]?.server ?? {});
}
