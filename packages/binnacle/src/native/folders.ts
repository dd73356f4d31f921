import { isAbsolute, join } from 'node:path';

/** Where native parts may be unpacked, best first. `cache`: the user's cache directory; undefined if there is none. */
export function nativeFolders(
  environment: NodeJS.ProcessEnv,
  {
    cache,
    temporary,
    userId,
  }: { readonly cache: string | undefined; readonly temporary: string; readonly userId: number },
): readonly string[] {
  const own = environment['BINNACLE_NATIVE_DIR'];
  const runtime = environment['XDG_RUNTIME_DIR'];
  return [
    ...(own === undefined || own === '' ? [] : [own]),
    ...(cache === undefined ? [] : [join(cache, 'binnacle', 'native')]),
    ...(runtime !== undefined && isAbsolute(runtime) ? [join(runtime, 'binnacle')] : []),
    join(temporary, `binnacle-native-${userId}`),
    `/dev/shm/binnacle-native-${userId}`,
  ];
}
