import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attachmentName, uniqueName, volumeOfName } from './volume-names.js';

describe('names of attached volumes', () => {
  const volume = { driver: 'csi.example.com', handle: 'vol^1' };

  it('can be read back', () => {
    assert.equal(uniqueName(volume), 'kubernetes.io/csi/csi.example.com^vol^1');
    assert.deepEqual(volumeOfName(uniqueName(volume)), volume);
    assert.equal(volumeOfName('kubernetes.io/iscsi/1.2.3.4:iqn:0'), undefined);
  });

  it('of attachments are a hash of handle, driver and node', () => {
    assert.equal(
      attachmentName({ driver: 'd', handle: 'h' }, 'n'),
      'csi-9072ed11cc1acb5fa433a877ff339b6311d013f33bddd1d0092711a8ace5b16d',
    );
  });
});
