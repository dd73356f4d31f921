import { formatFloat } from '../json/index.js';

/** The nearest float32 as Go prints it. Upstream writes numeric keys this way. */
export function formatFloat32(value: number): string {
  const float = Math.fround(value);
  if (!Number.isFinite(float)) return Number.isNaN(float) ? '.nan' : float > 0 ? '.inf' : '-.inf';
  for (let precision = 1; precision < 10; precision++) {
    const short = Number(float.toPrecision(precision));
    if (Math.fround(short) === float) return formatFloat(short);
  }
  return formatFloat(float);
}
