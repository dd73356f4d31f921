import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClusterTrustBundle } from '@binnacle/client/kinds/certificates/v1beta1';
import * as fc from 'fast-check';
import { anyFaults, randomRuns, Simulation, type SimulationFaults } from '../testing/index.js';
import { SIGNER } from './plan.js';

const controllers = 'kube-apiserver-serving-clustertrustbundle-publisher-controller';
const runtimeConfig = 'certificates.k8s.io/v1beta1=true';

const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBcjCCARegAwIBAgIUE9vWujNdoEQN1l3g6mWTbJHZT8MwCgYIKoZIzj0EAwIw
DTELMAkGA1UEAwwCY2EwIBcNMjYxMTIzMDEwMzQwWhgPMjEyNjEwMzAwMTAzNDBa
MA0xCzAJBgNVBAMMAmNhMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEOO0+Ozv+
XgCNRyWRc/RFWkFJyPQRTtvx+RPSLYcMXy8yn7Uc45Yx4tGfHQRjQM/GDMGttE3F
Nclq+4CCxu5mbKNTMFEwHQYDVR0OBBYEFIpYjKGE4poGO+08XTgE1EZaza8xMB8G
A1UdIwQYMBaAFIpYjKGE4poGO+08XTgE1EZaza8xMA8GA1UdEwEB/wQFMAMBAf8w
CgYIKoZIzj0EAwIDSQAwRgIhAOwdcbJDgxAx3gzPcutPXFi7g44xP/Qh170ysrOV
by3LAiEAoNAL6S4m91+w6aVrzYUx5XrVxXPjua3F2bb493fS6Jg=
-----END CERTIFICATE-----
`;

const name = 'kubernetes.io:kube-apiserver-serving:08f118d07b45493f67b55c08';

const start = (faults: SimulationFaults, seed = 1): Promise<Simulation> =>
  Simulation.start({ controllers, runtimeConfig, faults, seed, certificateAuthority: AUTHORITY });

async function namesOf({ client }: Simulation): Promise<(string | undefined)[]> {
  return (await client.resource(ClusterTrustBundle).list()).items.map(({ metadata }) => metadata.name);
}

async function createFormer({ client }: Simulation): Promise<void> {
  await client.resource(ClusterTrustBundle).create({
    apiVersion: 'certificates.k8s.io/v1beta1',
    kind: 'ClusterTrustBundle',
    metadata: { name: 'kubernetes.io:kube-apiserver-serving:former' },
    spec: { signerName: SIGNER, trustBundle: AUTHORITY },
  });
}

describe('the publisher of the trust bundle of API servers', () => {
  for (const faults of [{}, { watchDelay: 5000 }, { restartAfterWrites: true }] as const) {
    it(`publishes one bundle, ${Object.keys(faults).join() || 'without faults'}`, async () => {
      await using simulation = await start(faults);
      await simulation.advance(60_000);
      assert.deepEqual(await namesOf(simulation), [name]);
      await createFormer(simulation);
      await simulation.advance(60_000);
      assert.deepEqual(await namesOf(simulation), [name]);
      await simulation.client.resource(ClusterTrustBundle).delete(name);
      await simulation.advance(60_000);
      assert.deepEqual(await namesOf(simulation), [name]);
      if (Object.keys(faults).length > 0) return;
      const counts = { 'create clustertrustbundles': 2, 'delete clustertrustbundles': 1 };
      assert.deepEqual(simulation.log.counts(), counts);
    });
  }

  it('leaves bundles of other signers', async () => {
    await using simulation = await start({});
    await simulation.client.resource(ClusterTrustBundle).create({
      apiVersion: 'certificates.k8s.io/v1beta1',
      kind: 'ClusterTrustBundle',
      metadata: { name: 'other' },
      spec: { trustBundle: AUTHORITY },
    });
    await simulation.advance(60_000);
    assert.deepEqual(await namesOf(simulation), [name, 'other']);
  });

  it('converges, whatever goes wrong', async () => {
    const history = fc.record({ seed: fc.nat(), faults: anyFaults, isFormer: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(history, async ({ seed, faults, isFormer }) => {
        await using simulation = await start(faults, seed);
        if (isFormer) await createFormer(simulation);
        await simulation.settle();
        assert.deepEqual(await namesOf(simulation), [name]);
      }),
      randomRuns(3),
    );
  });
});
