import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { checkOptions } from './options/check-options.js';
import { completeOptions } from './options/config.js';
import { openEncryption } from './encryption.js';
import { openLog } from './open-log.js';

const opened = (path: string | undefined) =>
  openEncryption(completeOptions({ encryptionProviderConfig: path }), {
    registry: new MetricRegistry(),
    clock: new VirtualClock(),
    log: openLog({}, new VirtualClock()),
  });

describe('encryption', () => {
  it('is off without a file', async () => {
    assert.equal(await opened(undefined), undefined);
  });

  it('names the flag and the file of an error', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'encryption-'));
    try {
      const missing = join(folder, 'missing');
      await assert.rejects(opened(missing), {
        message: `--encryption-provider-config ${missing}: no such file or directory`,
      });
      const wrong = join(folder, 'wrong');
      await writeFile(wrong, 'kind: Other\napiVersion: v1\n');
      await assert.rejects(opened(wrong), (error) => {
        assert.ok(error instanceof Error);
        const start = `--encryption-provider-config ${wrong}: no kind "Other" is registered for version "v1"`;
        assert.ok(error.message.startsWith(start), error.message);
        return true;
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('a reload needs a file', () => {
    const options = { bindAddress: '127.0.0.1', securePort: 0, serviceClusterIPRange: '10.0.0.0/24' };
    assert.throws(() => checkOptions({ ...options, encryptionProviderConfigAutomaticReload: true }), {
      message: '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
    });
  });
});
