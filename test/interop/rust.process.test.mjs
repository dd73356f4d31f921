import { it } from 'node:test';
import { join } from 'node:path';
import { cache, hasRust, here, passes, run, unlessAsked } from './programs.mjs';

const skip = unlessAsked('rust', hasRust(), 'there is no cargo on the PATH');

it('kube-rs', { skip, timeout: 30 * 60_000 }, async () => {
  const env = { CARGO_HOME: join(cache, 'cargo'), CARGO_TARGET_DIR: join(cache, 'cargo/target') };
  await run('cargo', ['build', '--locked', '--quiet'], { cwd: join(here, 'rust'), env });
  await passes(join(env.CARGO_TARGET_DIR, 'debug/interop'), []);
});
