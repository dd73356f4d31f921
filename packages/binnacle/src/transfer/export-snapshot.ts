import { access } from 'node:fs/promises';
import type { Clock } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { type StoredForm, StoredForms } from '@binnacle/apiserver/storedforms';
import { type SnapshotEntry, writeEtcdSnapshot } from '@binnacle/kv/etcd/snapshot';
import { replacePrivateFile } from '../files/index.js';
import { type Item, itemText, kindText } from './item.js';
import { kindsAmong, type KnownKind } from './known-kinds.js';
import type { Plan } from './plan.js';
import type { Written } from './report.js';
import { withRevisions } from './revisions.js';
import { storedObject } from './stored-object.js';

const UNKNOWN_KIND = 'kinds of extension API servers, which keep their objects in their own stores';
const NO_UID = 'objects without a UID: import them into a server, which gives them one, and export that';

/**
 * Writes the objects of a plan as a snapshot of the etcd of a kube-apiserver, which only the owner can read. Rejects with an Error if the file
 * exists.
 */
export async function exportToSnapshot(
  { stages, leftOut }: Plan,
  path: string,
  {
    clock,
    progress,
  }: { readonly clock: Clock; readonly progress: (step: string, done: number, total: number) => void },
): Promise<Written> {
  if (await exists(path)) throw new Error(`${path} exists; export to a new file`);
  const forms = new StoredForms(clock);
  const planned = stages.flat();
  const kindOf = kindsAmong(planned, forms);
  const reasons = new Map(leftOut);
  const kept: Item[] = [];
  for (const item of planned) {
    const reason = kindOf(item) === undefined ? UNKNOWN_KIND : item.uid === '' ? NO_UID : undefined;
    if (reason === undefined) kept.push(item);
    else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const { items, revision } = withRevisions(kept);
  const uids = new Set(kept.map(({ uid }) => uid));
  const versions = versionsAmong(kept);
  const result = { written: 0, ownersLost: 0, failed: [] as { object: string; message: string }[] };
  async function* entries(): AsyncGenerator<SnapshotEntry, void> {
    for (const { item, revision } of items) {
      const kind = kindOf(item);
      if (kind === undefined) continue;
      const { object, ownersLost } = storedObject(item, uids, versions);
      progress('writing', result.written + result.failed.length + 1, items.length);
      let form: StoredForm;
      try {
        form = await formOf(forms, { ...item, object }, kind);
      } catch (error) {
        result.failed.push({ object: itemText(item), message: messageOf(error) });
        continue;
      }
      result.written += 1;
      result.ownersLost += ownersLost;
      yield { ...form, revision };
    }
  }
  await replacePrivateFile(path, (file) => writeEtcdSnapshot(file, entries(), revision));
  return { ...result, leftOut: reasons };
}

async function formOf(forms: StoredForms, item: Item, { builtIn, ...place }: KnownKind): Promise<StoredForm> {
  const { object, namespace, name } = item;
  return builtIn === undefined
    ? forms.ofCustom(place, object, namespace, name)
    : forms.ofBuiltIn(builtIn, object, namespace, name);
}

function versionsAmong(items: readonly Item[]): (group: string, kind: string) => readonly string[] {
  const versions = new Map<string, Set<string>>();
  for (const item of items) {
    const name = kindText(item);
    const known = versions.get(name) ?? new Set();
    versions.set(name, known.add(item.version));
  }
  return (group, kind) => [...(versions.get(kindText({ group, kind })) ?? [])];
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
