import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DesiredService, registrationStep, type RegistrationStep } from './auto-registration.js';
import type { RegisteredService } from './registered-service.js';

const facts = { group: 'g', version: 'v1', groupPriority: 10, versionPriority: 5 };
const desired = (managed: DesiredService['managed'], more: object = {}): DesiredService => ({
  ...facts,
  managed,
  ...more,
});
const current = (managed: string | undefined, more: object = {}): RegisteredService => ({
  ...facts,
  name: 'v1.g',
  uid: 'u',
  backend: undefined,
  isAvailable: true,
  reason: '',
  managed,
  ...more,
});
const fresh = { wasSynced: false, existedAtStart: true };
const synced = { wasSynced: true, existedAtStart: true };
const later = { wasSynced: false, existedAtStart: false };
const other = { groupPriority: 11 };

describe('registrationStep', () => {
  const cases: readonly (readonly [...Parameters<typeof registrationStep>, RegistrationStep])[] = [
    [undefined, undefined, fresh, 'nothing'],
    [desired('onstart'), undefined, fresh, 'create'],
    [desired('onstart'), undefined, synced, 'nothing'],
    [desired('true'), undefined, synced, 'create'],
    // Someone else's.
    [undefined, current(undefined), fresh, 'nothing'],
    [desired('true'), current(undefined, other), fresh, 'nothing'],
    [desired('onstart'), current('other', other), fresh, 'nothing'],
    [undefined, current('onstart'), fresh, 'delete'],
    [undefined, current('onstart'), synced, 'nothing'],
    [undefined, current('onstart'), later, 'nothing'],
    [desired('onstart'), current('onstart', other), fresh, 'update'],
    [desired('onstart'), current('onstart', other), synced, 'nothing'],
    [desired('true'), current('onstart', other), later, 'nothing'],
    [undefined, current('true'), synced, 'delete'],
    [desired('true'), current('true', other), synced, 'update'],
    [desired('true'), current('true'), synced, 'nothing'],
    [
      desired('true'),
      current('true', { backend: { namespace: 'n', name: 's', port: 1, caBundle: '', insecure: false } }),
      synced,
      'update',
    ],
    [desired('onstart'), current('true', other), synced, 'nothing'],
  ];
  for (const [index, [wanted, present, history, step]] of cases.entries()) {
    const name = `${wanted?.managed ?? 'none'} wanted, ${present?.managed ?? 'none'} present: ${step} (${String(index)})`;
    it(name, () => assert.equal(registrationStep(wanted, present, history), step));
  }
});
