import assert from 'node:assert/strict';
import { systemClock } from '@binnacle/apimachinery/clock';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { Encryption, EncryptionObserver } from '@binnacle/apiserver/encryption';

/** Encryption by the text of a configuration, without a server. */
export function openEncryption(text) {
  return Encryption.open({
    read: () => Promise.resolve(text),
    reloads: false,
    clock: systemClock,
    observer: new EncryptionObserver(new MetricRegistry(), systemClock, 'test'),
    report: assert.fail,
  });
}
