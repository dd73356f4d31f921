import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { KV } from '../interface/index.js';
import { agreeWithModel, type EtcdBinary, etcdBinaries, EtcdProcess, kvSuite, withoutEtcd } from '../testing/index.js';
import { openEtcdKV } from './index.js';
import { deleteEverything } from './requests.testing.js';

function testStore({ path, version }: EtcdBinary): void {
  let etcd: EtcdProcess | undefined;
  before(async () => {
    etcd = await EtcdProcess.start({ binary: path });
  });
  after(() => etcd?.stop());

  const open = async (): Promise<KV> => {
    const endpoint = etcd?.endpoint ?? 'not started';
    await deleteEverything(endpoint);
    // The contract does not depend on the speed of the machine.
    return openEtcdKV({ endpoints: [endpoint], requestTimeoutMilliseconds: 120_000 });
  };
  const features = { manualClock: false, local: false, tags: false };
  kvSuite(`etcd ${version} store`, open, features);

  it('agrees with the model on random operations', { timeout: 600_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 1000 }), { minLength: 20, maxLength: 400, size: 'max' }), (numbers) =>
        agreeWithModel(open, numbers, features),
      ),
      { numRuns: 6 },
    ),
  );
}

for (const binary of etcdBinaries()) {
  describe(`etcd ${binary.version}`, { skip: withoutEtcd() }, () => testStore(binary));
}
