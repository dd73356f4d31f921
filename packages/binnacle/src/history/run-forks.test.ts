import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TransportRequest } from '@binnacle/client/transport';
import { makeKubeconfig } from '../kubeconfig/index.js';
import {
  type Answers,
  at,
  grown,
  history,
  lines,
  list,
  log,
  MAP,
  MAPS,
  page,
  painted,
  run,
  second,
  status,
  web,
} from './run.testing.js';

const fork = { name: 'fork-1', resourceVersion: '12', time: '2026-11-28T10:05:00Z', url: 'https://127.0.0.1:7443' };
const [SNAPSHOTS, FORKS] = ['/binnacle/v1/snapshots', '/binnacle/v1/forks'];
/** A kubeconfig whose server has the revision as its port. */
const kubeconfigOf = (port: number | string): string =>
  makeKubeconfig({
    server: `https://127.0.0.1:${port}`,
    certificateAuthority: 'authority',
    clientCertificate: 'certificate',
    clientKey: 'key',
  });
const revisionIn = (kubeconfig: string): number => Number(/127\.0\.0\.1:(\d+)/.exec(kubeconfig)?.[1]);
const bodyOf = ({ body }: TransportRequest): string => Buffer.from(body ?? '').toString();
const snapshot = { action: 'snapshot', name: undefined, at: undefined, remove: false } as const;
const start = {
  action: 'fork',
  at: undefined,
  name: undefined,
  port: undefined,
  sharesCredentials: false,
  file: undefined,
  list: false,
  remove: undefined,
} as const;

describe('snapshot', () => {
  it('names a point, lists, deletes, and is a point itself', async () => {
    const bodies: string[] = [];
    const one = { ...fork, name: 'before' };
    const answers: Answers = {
      [`POST ${SNAPSHOTS}`]: (_, request) => {
        bodies.push(bodyOf(request));
        return { status: 201, object: one };
      },
      [`GET ${SNAPSHOTS}`]: () => ({ object: { items: [one] } }),
      [`GET ${SNAPSHOTS}/before`]: () => ({ object: one }),
      [`DELETE ${SNAPSHOTS}/before`]: () => ({ object: one }),
      [`GET ${MAPS}`]: (query) => {
        assert.equal(query.get('resourceVersion'), '12');
        return list(second);
      },
      [`GET /binnacle/v1/history${MAP}`]: (query) => {
        assert.equal(query.get('since'), '12');
        return page([grown]);
      },
    };
    const named = { ...snapshot, name: 'before' };
    assert.equal(await run(named, answers), 'snapshot before is revision 12\n');
    await run({ ...named, at: { type: 'ago', milliseconds: 60_000 } }, answers);
    assert.deepEqual(bodies, ['{"name":"before"}', '{"name":"before","at":"2026-11-28T10:04:00.000Z"}']);
    assert.equal(await run(snapshot, answers), 'before  12  2026-11-28T10:05:00Z\n');
    assert.equal(await run({ ...named, remove: true }, answers), 'snapshot before is deleted\n');
    const point = { type: 'snapshot', text: 'before' } as const;
    assert.match(await run({ action: 'get', target: web, at: point, output: 'yaml' }, answers), /color: blue/);
    assert.equal(await run({ ...log, since: point }, answers), lines.grown);
  });

  it('needs a server that has them', async () => {
    const unknown = { [`GET ${SNAPSHOTS}`]: () => ({ status: 404, chunks: [Buffer.from('404 page not found\n')] }) };
    await assert.rejects(
      run(snapshot, unknown),
      /the server has none: it is not Binnacle, or keeps its objects in etcd/,
    );
    const refused = { [`GET ${SNAPSHOTS}`]: () => status(403, 'Forbidden', 'not an administrator', {}) };
    await assert.rejects(run(snapshot, refused), /not an administrator/);
  });
});

describe('fork', () => {
  it('starts one and writes its kubeconfig, lists, and stops', async () => {
    const bodies: string[] = [];
    const written: string[] = [];
    const writeFile = async (path: string, text: string): Promise<void> => void written.push(`${path}: ${text}`);
    const answers: Answers = {
      [`POST ${FORKS}`]: (_, request) => {
        bodies.push(bodyOf(request));
        return { status: 201, object: { ...fork, kubeconfig: kubeconfigOf(7443) } };
      },
      [`GET ${FORKS}`]: () => ({ object: { items: [fork] } }),
      [`DELETE ${FORKS}/fork-1`]: () => ({ object: fork }),
    };
    const shown = 'fork-1  12  2026-11-28T10:05:00Z  https://127.0.0.1:7443\n';
    assert.equal(await run(start, answers, { writeFile }), `${shown}export KUBECONFIG=fork-1.kubeconfig\n`);
    const options = { at: at('12'), name: 'fork-1', port: 7443, sharesCredentials: true, file: 'config' };
    await run({ ...start, ...options }, answers, { writeFile });
    assert.deepEqual(bodies, [
      '{"sharesCredentials":false}',
      '{"name":"fork-1","at":"12","port":7443,"sharesCredentials":true}',
    ]);
    assert.deepEqual(
      written,
      ['fork-1.kubeconfig', 'config'].map((path) => `${path}: ${kubeconfigOf(7443)}`),
    );
    assert.equal(await run({ ...start, list: true }, answers), shown);
    assert.equal(await run({ ...start, remove: 'fork-1' }, answers), 'fork fork-1 has stopped\n');
  });

  it('writes no file outside of the folder for a server that lies about the name', async () => {
    const name = '../../fork';
    const answers: Answers = {
      [`POST ${FORKS}`]: () => ({ status: 201, object: { ...fork, name, kubeconfig: kubeconfigOf(7443) } }),
    };
    const writeFile = async (path: string): Promise<void> => assert.fail(path);
    await assert.rejects(run(start, answers, { writeFile }), /an invalid name, "\.\.\/\.\.\/fork"$/);
  });

  it('rejects at a revision that no server has, which a bisection would halve for ever', async () => {
    for (const resourceVersion of ['1e300', '99999999999999999999', '']) {
      const answers: Answers = {
        [`POST ${FORKS}`]: () => ({
          status: 201,
          object: { ...fork, resourceVersion, kubeconfig: kubeconfigOf(7443) },
        }),
      };
      await assert.rejects(run(start, answers), /an invalid revision$/);
    }
  });

  it('prints what a server says without its control characters', async () => {
    const name = '\u001b[2Jx';
    const answers: Answers = {
      [`GET ${FORKS}`]: () => ({ object: { items: [{ ...fork, name }] } }),
      [`GET ${SNAPSHOTS}`]: () => ({ object: { items: [{ ...fork, name }] } }),
      [`DELETE ${FORKS}/fork-1`]: () => ({ object: { ...fork, name } }),
    };
    for (const request of [{ ...start, list: true }, snapshot, { ...start, remove: 'fork-1' }]) {
      assert.match(await run(request, answers), /^(?:fork )?\\u001b\[2Jx/);
    }
  });

  it('stops it when its kubeconfig cannot be written', async () => {
    let stopped = 0;
    const answers: Answers = {
      [`POST ${FORKS}`]: () => ({ status: 201, object: { ...fork, kubeconfig: kubeconfigOf(7443) } }),
      [`DELETE ${FORKS}/fork-1`]: () => {
        stopped += 1;
        return { object: fork };
      },
    };
    const writeFile = () => Promise.reject(new Error('the folder is read-only'));
    await assert.rejects(run(start, answers, { writeFile }), /^Error: the folder is read-only$/);
    assert.equal(stopped, 1);
  });
});

describe('bisect', () => {
  const bisect = { action: 'bisect', good: at('4'), bad: at('15'), command: ['check', 'it'] } as const;

  /** A server whose state is bad from revision 12 on. */
  const server = () => {
    const running = new Set<string>();
    const answers: Answers = {
      [`POST ${FORKS}`]: (_, request) => {
        const { at: revision } = JSON.parse(bodyOf(request)) as { at: string };
        running.add(`fork-${revision}`);
        return {
          object: { ...fork, name: `fork-${revision}`, resourceVersion: revision, kubeconfig: kubeconfigOf(revision) },
        };
      },
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, revision) => [
          `DELETE ${FORKS}/fork-${revision}`,
          () => {
            running.delete(`fork-${revision}`);
            return { object: fork };
          },
        ]),
      ),
      ...history(MAPS.replace('/namespaces/default', ''), painted),
      'GET /binnacle/v1/history/api/v1/secrets': () => page([]),
    };
    return { answers, running };
  };
  const badFrom = (revision: number) => async (command: readonly string[], kubeconfig: string) => {
    assert.deepEqual(command, ['check', 'it']);
    return revisionIn(kubeconfig) < revision ? 0 : 1;
  };

  it('runs the command on forks, and shows the event that made it fail', async () => {
    const { answers, running } = server();
    const printed = await run(bisect, answers, { runCommand: badFrom(12) });
    const tried = ['4 is good', '15 is bad', '9 is good', '12 is bad', '10 is good', '11 is good'];
    assert.ok(printed.startsWith([...tried, '12 is the first bad revision', lines.painted].join('\n')), printed);
    assert.deepEqual([...running], [], 'no fork is left');
  });

  it('refuses points that do not enclose the event, and ends with a command that is killed', async () => {
    const { answers, running } = server();
    await assert.rejects(run(bisect, answers, { runCommand: badFrom(2) }), /fails at the good revision, 4$/);
    await assert.rejects(run(bisect, answers, { runCommand: badFrom(20) }), /succeeds at the bad revision, 15$/);
    const turned = { ...bisect, good: at('15'), bad: at('4') };
    const runCommand = async (_: readonly string[], text: string): Promise<number> => (revisionIn(text) === 15 ? 0 : 1);
    await assert.rejects(run(turned, answers, { runCommand }), /the good revision is newer than the bad one/);
    await assert.rejects(run(bisect, answers, { runCommand: async () => 130 }), /the command ended with 130/);
    assert.deepEqual([...running], []);
  });

  it('leaves no fork when it is stopped', async () => {
    const { answers, running } = server();
    const stop = new AbortController();
    const runCommand = async (): Promise<number> => {
      assert.equal(running.size, 1);
      stop.abort(new Error('stopped'));
      return 143;
    };
    await assert.rejects(run(bisect, answers, { runCommand, signal: stop.signal }), /^Error: stopped$/);
    assert.deepEqual([...running], []);
  });
});
