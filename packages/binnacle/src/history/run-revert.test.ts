import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { ScriptedAnswer } from '@binnacle/client/testing';
import type { TransportRequest } from '@binnacle/client/transport';
import {
  type Answers,
  created,
  first,
  grown,
  history,
  MAP,
  map,
  MAPS,
  page,
  painted,
  removed,
  run,
  second,
  status,
  third,
  web,
} from './run.testing.js';

describe('revert', () => {
  const revert = { action: 'revert', revisions: ['12'], target: web, force: false, dryRun: false } as const;
  const absent = status(404, 'NotFound', 'configmaps "web" not found', { name: 'web', kind: 'configmaps' });

  /** A server with this event and this object; `written` has each write. */
  function server(event: unknown, live: JsonObject | undefined) {
    const written: string[] = [];
    const write = (query: URLSearchParams, { method, body }: TransportRequest): ScriptedAnswer => {
      const text = typeof body === 'string' ? body : Buffer.from(body instanceof Uint8Array ? body : []).toString();
      written.push([method, query.get('dryRun') ?? 'for real', text].join(' '));
      return { object: { kind: 'Status', status: 'Success' } };
    };
    const answers: Answers = {
      ...history(MAP, event),
      [`GET ${MAP}`]: () => (live === undefined ? absent : { object: live }),
      [`PUT ${MAP}`]: write,
      [`DELETE ${MAP}`]: write,
      [`POST ${MAPS}`]: write,
    };
    return { written, answers };
  }

  for (const [name, event, live, options, expected, write] of [
    ['updates', painted, second, {}, 'is reverted', /^PUT for real .*"color":"red"/],
    ['updates in a dry run', painted, second, { dryRun: true }, 'is reverted (dry run)', /^PUT All /],
    ['creates again', removed, undefined, {}, 'is created again', /^POST for real .*"size":"big"/],
    ['deletes', created, first, {}, 'is deleted', /^DELETE for real .*"uid":"u-1"((?!dryRun).)*$/],
    [
      'deletes in a dry run',
      created,
      first,
      { dryRun: true },
      'is deleted (dry run)',
      /^DELETE All .*"dryRun":\["All"\]/,
    ],
    ['creates again in a dry run', removed, undefined, { dryRun: true }, 'is created again (dry run)', /^POST All /],
    ['does nothing twice', painted, first, {}, 'is already as before', /^$/],
    ['overwrites by force', painted, map('20', { color: 'pink' }), { force: true }, 'is reverted', /"color":"red"/],
  ] as const) {
    it(name, async () => {
      const { written, answers } = server(event, live);
      assert.equal(await run({ ...revert, ...options }, answers), `ConfigMap default/web ${expected}\n`);
      assert.match(written.join('\n'), write);
    });
  }

  it('undoes several events of an object by one write, and nothing if one of them conflicts', async () => {
    const both = (live: JsonObject) => {
      const { written, answers } = server(painted, live);
      const event = (query: URLSearchParams) => page([query.get('until') === '14' ? grown : painted]);
      return { written, answers: { ...answers, [`GET /binnacle/v1/history${MAP}`]: event } };
    };
    const request = { ...revert, revisions: ['12', '14', '12'] };
    const undone = both(third);
    assert.equal(await run(request, undone.answers), 'ConfigMap default/web is reverted\n');
    assert.equal(undone.written.length, 1);
    assert.match(undone.written.join(), /"data":\{"color":"red"\}/);
    const changed = both(map('20', { color: 'pink', size: 'big' }));
    await assert.rejects(run(request, changed.answers), {
      message: 'ConfigMap default/web has changed since 12; --force overwrites these fields:\n  .data.color',
    });
    assert.deepEqual(changed.written, []);
  });

  it('rejects if the fields have changed since, and names them', async () => {
    const { written, answers } = server(painted, map('20', { color: 'pink' }));
    await assert.rejects(run(revert, answers), {
      message: 'ConfigMap default/web has changed since 12; --force overwrites these fields:\n  .data.color',
    });
    assert.deepEqual(written, []);
  });
});
