import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The clients' token, valid across restarts. */
export const token = 'model-token';

export function writeTokenFile(folder) {
  const file = join(folder, 'tokens.csv');
  writeFileSync(file, `${token},model,model,"system:masters"\n`);
  return file;
}
