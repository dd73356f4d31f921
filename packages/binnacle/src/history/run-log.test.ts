import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  all,
  type Answers,
  at,
  created,
  grown,
  history,
  lines,
  log,
  MAP,
  MAPS,
  page,
  painted,
  removed,
  run,
  status,
  third,
  web,
} from './run.testing.js';

describe('log', () => {
  for (const [name, options, expected] of [
    ['every event, newest first', {}, lines.removed + lines.grown + lines.painted + lines.created],
    ['as many as the limit', { limit: 1 }, lines.removed],
    ['those of a user', { by: 'alice' }, lines.created],
    ['those of a manager', { by: 'kubectl' }, lines.created],
    ['those of a field', { field: '.data.color', limit: 2 }, lines.removed + lines.painted],
    [
      'their changes',
      { patch: true, field: '.data.color', by: 'bob' },
      `${lines.removed}  agent kubectl/1.36, audit a-1\n  - .apiVersion: "v1"`,
    ],
  ] as const) {
    it(`prints ${name}`, async () => {
      const printed = await run({ ...log, ...options }, all);
      assert.equal('patch' in options ? printed.slice(0, expected.length) : printed, expected);
    });
  }

  it('reads every page, between the points that the user gave', async () => {
    const answers: Answers = {
      [`GET /binnacle/v1/history${MAP}`]: (query) => {
        assert.equal(query.get('since'), '2026-11-28T09:55:00.000Z');
        assert.equal(query.get('until'), '12');
        return query.get('continue') === null ? page([painted], { continue: 'more' }) : page([created]);
      },
    };
    const bounds = { since: { type: 'ago', milliseconds: 600_000 }, until: at('12') } as const;
    assert.equal(await run({ ...log, ...bounds }, answers), lines.painted + lines.created);
  });

  it('leaves out kinds that the user may not read', async () => {
    const answers: Answers = {
      ...history('/api/v1/configmaps', painted),
      'GET /binnacle/v1/history/api/v1/secrets': () => status(403, 'Forbidden', 'secrets is forbidden', {}),
    };
    assert.equal(await run({ ...log, target: undefined }, answers), lines.painted);
  });

  const gone = 'The provided resource version is too old';
  const etcd = 'the store of this server, etcd, keeps no history of events; lists at an older resourceVersion work';
  for (const [name, answer, expected] of [
    ['forbids the kind', status(403, 'Forbidden', 'configmaps is forbidden', {}), /^configmaps is forbidden$/],
    ['no longer has that history', status(410, 'Expired', gone, {}), /^The provided resource version is too old$/],
    [
      'keeps its objects in etcd',
      status(400, 'BadRequest', etcd),
      /^the store of this server, etcd, keeps no history of events; /,
    ],
    [
      'is another',
      status(404, 'NotFound', 'not found'),
      /^the server keeps no history that can be read; it is not Binnacle$/,
    ],
  ] as const) {
    it(`rejects when the server ${name}`, async () => {
      const answers: Answers = { [`GET /binnacle/v1/history${MAP}`]: () => answer };
      await assert.rejects(run(log, answers), { message: expected });
    });
  }

  it('rejects for a kind that the server does not have', async () => {
    await assert.rejects(run({ ...log, target: { kind: 'gizmo' } }, {}), /gizmo/);
  });
});

describe('log -f', () => {
  it('prints the newest events, oldest first, and then each new one', async () => {
    const stop = new AbortController();
    const heads = ['12', '16'];
    const reads: (string | null)[] = [];
    const answers: Answers = {
      [`GET /binnacle/v1/history${MAP}`]: (query) => {
        // The second one is asked for when the watch has ended.
        if (query.get('limit') === '1') return page([], { resourceVersion: heads.shift() ?? '16' });
        reads.push(query.get('since'));
        if (query.get('until') === '12') return page([painted, created]);
        if (query.get('since') === '12') return page([removed, grown]);
        assert.equal(query.get('since'), '16');
        stop.abort();
        return page([]);
      },
      [`GET ${MAPS}`]: (query) => {
        const asked = ['watch', 'resourceVersion', 'fieldSelector'].map((name) => query.get(name));
        assert.deepEqual(asked, ['true', '12', 'metadata.name=web']);
        const deleted = { ...third, metadata: { name: 'web', namespace: 'default', resourceVersion: '16' } };
        return {
          lines: [
            { type: 'MODIFIED', object: third },
            { type: 'DELETED', object: deleted },
          ],
        };
      },
    };
    const printed = await run({ ...log, follow: true, limit: 2 }, answers, { signal: stop.signal });
    assert.equal(printed, lines.created + lines.painted + lines.grown + lines.removed);
    assert.deepEqual(reads, [null, '12', '16'], 'the second event needs no read of its own');
  });
});

describe('show', () => {
  it('prints the event of a revision', async () => {
    const expected = `${lines.painted}  agent kubectl/1.36, audit a-1\n  - .data.color: "red"\n  + .data.color: "blue"\n`;
    const printed = await run({ action: 'show', revision: '12', target: web }, history(MAP, painted));
    assert.equal(printed, expected);
  });

  it('rejects if nothing changed then', async () => {
    await assert.rejects(
      run({ action: 'show', revision: '13', target: web }, history(MAP)),
      /^Error: no object that you may read changed at revision 13$/,
    );
  });
});
