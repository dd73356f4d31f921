import { describe, it } from 'node:test';
import { join } from 'node:path';
import { isThorough } from '../thorough.mjs';
import { cache, hasGo, here, noOneBuilds, passes, quickGoEnvironment, run, unless } from './programs.mjs';
import { walkSampleController } from './sample-controller.mjs';

const json = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';
const cborType = 'application/cbor';
const withCbor = { featureGates: 'CBORServingAndStorage=true' };
const cwd = join(here, 'go');
const binaries = join(cache, 'go/interop');
/** Kubernetes' clients are more than a thousand packages to build. */
const TIMEOUT_MS = 20 * 60_000;

describe('Go', { skip: unless(hasGo(), 'there is no go on the PATH'), timeout: TIMEOUT_MS }, () => {
  it('builds', async () => {
    await noOneBuilds();
    await run('go', ['build', '-ldflags=-s -w', '-o', `${binaries}/`, './clients', 'k8s.io/sample-controller'], {
      cwd,
      env: quickGoEnvironment,
    });
  });

  for (const { name, parameters, long = false, watchList = false, cbor = false, server = {} } of [
    { name: 'JSON', parameters: ['-content-type', json] },
    { name: 'protobuf', long: true, parameters: ['-content-type', protobuf] },
    {
      name: 'protobuf or JSON, lists as streams',
      parameters: ['-content-type', protobuf, '-accept', `${protobuf},${json}`],
      watchList: true,
    },
    { name: 'CBOR', long: true, parameters: ['-content-type', cborType], cbor: true, server: withCbor },
    {
      name: 'CBOR or JSON, lists as streams',
      parameters: ['-content-type', cborType, '-accept', `${json};q=0.9,${cborType}`],
      watchList: true,
      cbor: true,
      server: withCbor,
    },
    { name: 'CBOR, of a server that has none', parameters: ['-cbor-refused'], cbor: true },
  ]) {
    if (long && !isThorough) continue;
    const env = {
      KUBE_FEATURE_WatchListClient: String(watchList),
      KUBE_FEATURE_ClientsAllowCBOR: String(cbor),
      KUBE_FEATURE_ClientsPreferCBOR: String(cbor),
    };
    it(`client-go: ${name}`, () => passes(join(binaries, 'clients'), parameters, { env, server }));
  }

  it("upstream's sample controller", { timeout: 600_000 }, async () => {
    const list = await run('go', ['list', '-m', '-f', '{{.Dir}}', 'k8s.io/sample-controller'], {
      cwd,
      env: quickGoEnvironment,
    });
    await walkSampleController({ binary: join(binaries, 'sample-controller'), module: list.trim() });
  });
});
