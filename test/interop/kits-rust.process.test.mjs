/** The kit for Rust as a user gets it: a packed crate, Binnacle from npm's packages, and nothing of this repository. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { inEmptyFolder, installBinnacle, repository } from './kits.mjs';
import { cache, hasRust, run, unlessAsked } from './programs.mjs';

/** kube-rs is two hundred crates to build. */
const TIMEOUT_MS = 30 * 60_000;

const skip = unlessAsked('kits-rust', hasRust(), 'there is no cargo on the PATH');

it('the test kit for Rust passes its suite', { skip, timeout: TIMEOUT_MS }, () =>
  inEmptyFolder(async (folder) => {
    await installBinnacle(folder);
    const cwd = join(folder, 'crate');
    const packed = join(folder, 'packed');
    for (const each of [cwd, packed]) mkdirSync(each);
    const env = {
      CARGO_HOME: join(cache, 'cargo'),
      CARGO_TARGET_DIR: join(cache, 'cargo/target'),
      BINNACLE_PATH: '',
    };
    await run('cargo', ['package', '--quiet', '--locked', '--no-verify', '--allow-dirty', '--target-dir', packed], {
      cwd: join(repository, 'kits/rust/binnacle-test'),
      env,
    });
    const crate = readdirSync(join(packed, 'package')).find((name) => name.endsWith('.crate')) ?? '';
    await run('tar', ['-xzf', join(packed, 'package', crate), '--strip-components=1', '-C', cwd]);
    // Only the folders above have Binnacle.
    await run('cargo', ['test', '--quiet', '--locked'], { cwd, env });
  }),
);
