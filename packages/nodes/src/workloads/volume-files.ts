import type { Pod } from '@binnacle/client/kinds/core/v1';
import { fieldOf, resourceOf, type Source, sourceOf } from '../pods/index.js';

type Volume = NonNullable<NonNullable<Pod['spec']>['volumes']>[number];
type Items = readonly { readonly key: string; readonly path: string; readonly mode?: number }[];

/** A file of a volume. */
export interface VolumeFile {
  readonly bytes: Buffer;
  readonly mode: number;
}

/** A token that a volume has. */
export interface TokenWish {
  readonly path: string;
  readonly audience?: string;
  readonly expirationSeconds: number;
}

/** The contents of volumes. */
export interface VolumeContents {
  /** Undefined: there is no such object. */
  readonly bytesOf: (source: Source) => ReadonlyMap<string, Buffer> | undefined;
  readonly tokenOf: (volume: string, wish: TokenWish) => string;
}

/** The volume cannot be made. The message is that of the pod's event. */
export class VolumeProblem extends Error {
  override readonly name = 'VolumeProblem';
}

const DEFAULT_MODE = 0o644;
const DEFAULT_TOKEN_SECONDS = 3600;
/** The types of volumes that process nodes have. */
const KNOWN = ['name', 'configMap', 'secret', 'projected', 'downwardAPI', 'emptyDir'];

/** Why processes cannot have a volume of this type; undefined: they can. */
export function unsupportedVolume(volume: Volume): string | undefined {
  const type = Object.keys(volume).find((key) => !KNOWN.includes(key));
  if (type === undefined && volume.projected?.sources?.some((source) => !isKnownSource(source)) !== true)
    return undefined;
  return `MountVolume.SetUp failed for volume ${JSON.stringify(volume.name)} : process nodes have no volumes of type ${type ?? 'projected with such sources'}`;
}

const isKnownSource = (source: object): boolean =>
  Object.keys(source).every((key) => ['configMap', 'secret', 'downwardAPI', 'serviceAccountToken'].includes(key));

/** The ConfigMaps and Secrets of which a volume is made. */
export function sourcesOf({ configMap, secret, projected }: Volume): readonly Source[] {
  return [
    ...sourceOf('ConfigMap', configMap?.name),
    ...sourceOf('Secret', secret?.secretName),
    ...(projected?.sources ?? []).flatMap((each) => [
      ...sourceOf('ConfigMap', each.configMap?.name),
      ...sourceOf('Secret', each.secret?.name),
    ]),
  ];
}

/** The tokens of which a volume is made. */
export function tokensOf({ projected }: Volume): readonly TokenWish[] {
  return (projected?.sources ?? []).flatMap(({ serviceAccountToken: token }) => {
    if (token === undefined) return [];
    const { path, audience, expirationSeconds = DEFAULT_TOKEN_SECONDS } = token;
    return [{ path, expirationSeconds, ...(audience === undefined ? {} : { audience }) }];
  });
}

/** The files of a volume by their paths in it; none for an `emptyDir`. Throws a {@link VolumeProblem}. */
export function filesOf(volume: Volume, pod: Pod, contents: VolumeContents): ReadonlyMap<string, VolumeFile> {
  const { name, configMap, secret, downwardAPI, projected } = volume;
  const files = new Map<string, VolumeFile>();
  const add = (source: Source, items: Items | undefined, optional: boolean | undefined, mode = DEFAULT_MODE): void => {
    const bytes = contents.bytesOf(source);
    if (bytes === undefined && optional === true) return;
    if (bytes === undefined) {
      const missing = `${source.kind.toLowerCase()} ${JSON.stringify(source.name)} not found`;
      throw new VolumeProblem(`MountVolume.SetUp failed for volume ${JSON.stringify(name)} : ${missing}`);
    }
    const wanted = items ?? [...bytes.keys()].map((key): Items[number] => ({ key, path: key }));
    for (const { key, path, mode: own = mode } of wanted) {
      const content = bytes.get(key);
      if (content !== undefined) files.set(path, { bytes: content, mode: own });
      else if (optional !== true)
        throw new VolumeProblem(
          `MountVolume.SetUp failed for volume ${JSON.stringify(name)} : references non-existent ${source.kind === 'Secret' ? 'secret' : 'config'} key: ${key}`,
        );
    }
  };
  // Many files may show one long field.
  const fields = new Map<string, Buffer>();
  const bytesOfField = (path: string): Buffer => {
    const bytes = fields.get(path) ?? Buffer.from(fieldOf(pod, path) ?? '');
    fields.set(path, bytes);
    return bytes;
  };
  const addFields = (items: NonNullable<Volume['downwardAPI']>['items'], mode = DEFAULT_MODE): void => {
    for (const { path, fieldRef, resourceFieldRef, mode: own = mode } of items ?? []) {
      const bytes =
        fieldRef === undefined
          ? Buffer.from(resourceOf(pod, { name: '' }, resourceFieldRef ?? { resource: '' }) ?? '')
          : bytesOfField(fieldRef.fieldPath);
      files.set(path, { bytes, mode: own });
    }
  };
  if (configMap?.name !== undefined)
    add({ kind: 'ConfigMap', name: configMap.name }, configMap.items, configMap.optional, configMap.defaultMode);
  if (secret?.secretName !== undefined)
    add({ kind: 'Secret', name: secret.secretName }, secret.items, secret.optional, secret.defaultMode);
  if (downwardAPI !== undefined) addFields(downwardAPI.items, downwardAPI.defaultMode);
  const mode = projected?.defaultMode;
  for (const each of projected?.sources ?? []) {
    if (each.configMap?.name !== undefined)
      add({ kind: 'ConfigMap', name: each.configMap.name }, each.configMap.items, each.configMap.optional, mode);
    if (each.secret?.name !== undefined)
      add({ kind: 'Secret', name: each.secret.name }, each.secret.items, each.secret.optional, mode);
    if (each.downwardAPI !== undefined) addFields(each.downwardAPI.items, mode);
  }
  for (const wish of tokensOf(volume)) {
    files.set(wish.path, { bytes: Buffer.from(contents.tokenOf(name, wish)), mode: 0o600 });
  }
  return files;
}
