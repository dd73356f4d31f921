import { after, before, describe } from 'node:test';
import type { KV } from '../interface/index.js';
import { EtcdProcess, kvSuite, withoutEtcd } from '../testing/index.js';
import { openEtcdKV } from './index.js';
import { deleteEverything } from './test-requests.js';

describe('etcd', { skip: withoutEtcd() }, () => {
  let etcd: EtcdProcess | undefined;
  before(async () => {
    etcd = await EtcdProcess.start();
  });
  after(() => etcd?.stop());

  const open = async (): Promise<KV> => {
    const endpoint = etcd?.endpoint ?? 'not started';
    await deleteEverything(endpoint);
    return openEtcdKV({ endpoints: [endpoint] });
  };
  kvSuite('etcd store', open, { manualClock: false, local: false });
});
