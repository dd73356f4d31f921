const HIGH = 0x1_0000_0000;

/** Writes a number of 8 bytes, big-endian, so that bytes sort like the numbers. */
export function writeNumber(target: Buffer, value: number, offset: number): void {
  target.writeUInt32BE(Math.floor(value / HIGH), offset);
  target.writeUInt32BE(value % HIGH, offset + 4);
}

export function readNumber(source: Buffer, offset: number): number {
  return source.readUInt32BE(offset) * HIGH + source.readUInt32BE(offset + 4);
}
