import { describe, it } from 'node:test';
import { join } from 'node:path';
import { answers, cache, goEnvironment, here, passes, run, unless } from './programs.mjs';

const json = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';
const binaries = join(cache, 'go/interop');
/** Kubernetes' clients are more than a thousand packages to build. */
const TIMEOUT_MS = 20 * 60_000;

describe('Go', { skip: unless(answers('go', 'version'), 'there is no go on the PATH'), timeout: TIMEOUT_MS }, () => {
  it('builds', () =>
    run('go', ['build', '-ldflags=-s -w', '-o', `${binaries}/`, './clients'], {
      cwd: join(here, 'go'),
      env: goEnvironment,
    }));

  for (const { name, parameters, watchList } of [
    { name: 'JSON', parameters: ['-content-type', json], watchList: false },
    { name: 'protobuf', parameters: ['-content-type', protobuf], watchList: false },
    {
      name: 'protobuf or JSON, lists as streams',
      parameters: ['-content-type', protobuf, '-accept', `${protobuf},${json}`],
      watchList: true,
    },
  ]) {
    it(`client-go: ${name}`, () =>
      passes(join(binaries, 'clients'), parameters, { env: { KUBE_FEATURE_WatchListClient: String(watchList) } }));
  }
});
