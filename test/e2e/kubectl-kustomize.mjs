/**
 * Kustomize in kubectl: an overlay over a base, applied, changed and pruned. Each step depends on the ones before.
 */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In running order: `{ name, run(kubectl) }`. */
export const kustomizeSteps = [];
const step = (name, run) => kustomizeSteps.push({ name, run });

const source = fileURLToPath(new URL('kustomize', import.meta.url));
const folderOf = (kubectl) => join(kubectl.folder, 'kustomize');
const overlayOf = (kubectl) => join(folderOf(kubectl), 'north');
const chosen = ['-l', 'app=lighthouse'];

async function settingsOf(kubectl) {
  const { items } = await kubectl.json(['get', 'configmaps', ...chosen]);
  return new Map(items.map(({ metadata, data }) => [metadata.name, data]));
}

async function usedSettings(kubectl) {
  const { spec } = await kubectl.json(['get', 'deployment', 'north-lighthouse']);
  return spec.template.spec.containers[0].envFrom[0].configMapRef.name;
}

step('apply an overlay', async (kubectl) => {
  cpSync(source, folderOf(kubectl), { recursive: true });
  await kubectl.prints(
    ['kustomize', overlayOf(kubectl)],
    [/name: north-lighthouse/, /image: example\.com\/lighthouse:7/],
  );
  await kubectl.prints(
    ['apply', '-k', overlayOf(kubectl)],
    [/^configmap\/north-settings-[a-z0-9]+ created$/m, /^deployment\.apps\/north-lighthouse created$/m],
  );
  const { metadata, spec } = await kubectl.json(['get', 'deployment', 'north-lighthouse']);
  assert.deepEqual([metadata.labels.app, spec.replicas], ['lighthouse', 2]);
  const settings = await settingsOf(kubectl);
  assert.deepEqual(settings.get(await usedSettings(kubectl)), { greeting: 'good evening', lamp: 'white' });
  await kubectl.prints(['apply', '-k', overlayOf(kubectl)], /^deployment\.apps\/north-lighthouse unchanged$/m);
  await kubectl.prints(['get', '-k', overlayOf(kubectl)], /^deployment\.apps\/north-lighthouse /m);
});

step('another content is another config map, which the deployment then names', async (kubectl) => {
  const before = await usedSettings(kubectl);
  const file = join(overlayOf(kubectl), 'kustomization.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('lamp=white', 'lamp=red'));
  await kubectl.run(['diff', '-k', overlayOf(kubectl)], { code: 1 });
  const options = ['--server-side', '--force-conflicts', '--field-manager=kustomize'];
  await kubectl.prints(
    ['apply', '-k', overlayOf(kubectl), ...options],
    /^deployment\.apps\/north-lighthouse serverside-applied$/m,
  );
  const after = await usedSettings(kubectl);
  assert.notEqual(after, before);
  const settings = await settingsOf(kubectl);
  assert.deepEqual([settings.get(before).lamp, settings.get(after).lamp], ['white', 'red']);
});

step('prune what the overlay no longer has, and delete what it has', async (kubectl) => {
  const current = await usedSettings(kubectl);
  // Without a list, old clients query versions that current servers have removed.
  const allowed = kubectl.minor < 26 ? '--prune-whitelist' : '--prune-allowlist';
  await kubectl.run(['apply', '-k', overlayOf(kubectl), '--prune', `${allowed}=core/v1/ConfigMap`, ...chosen]);
  assert.deepEqual([...(await settingsOf(kubectl)).keys()], [current]);
  await kubectl.prints(['delete', '-k', overlayOf(kubectl)], /deployment\.apps "north-lighthouse" deleted/);
  assert.equal((await settingsOf(kubectl)).size, 0);
});
