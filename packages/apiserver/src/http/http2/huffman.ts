/** HPACK's Huffman code of RFC 7541, appendix B. */

/**
 * The symbols of each code length, in the order of their codes. The code is canonical: a code is the one before it plus one,
 * with zeros up to its own length. The end-of-string symbol, all ones, is the one code that is missing.
 */
const SYMBOLS: readonly (readonly [length: number, symbols: string | readonly number[]])[] = [
  [5, '012aceiost'],
  [6, ' %-./3456789=A_bdfghlmnpru'],
  [7, ':BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz'],
  [8, '&*,;XZ'],
  [10, '!"()?'],
  [11, "'+|"],
  [12, '#>'],
  [13, '\0$@[]~'],
  [14, '^}'],
  [15, '<`{'],
  [19, [92, 195, 208]],
  [20, [128, 130, 131, 162, 184, 194, 224, 226]],
  [21, [153, 161, 167, 172, 176, 177, 179, 209, 216, 217, 227, 229, 230]],
  [
    22,
    [
      129, 132, 133, 134, 136, 146, 154, 156, 160, 163, 164, 169, 170, 173, 178, 181, 185, 186, 187, 189, 190, 196, 198,
      228, 232, 233,
    ],
  ],
  [
    23,
    [
      1, 135, 137, 138, 139, 140, 141, 143, 147, 149, 150, 151, 152, 155, 157, 158, 165, 166, 168, 174, 175, 180, 182,
      183, 188, 191, 197, 231, 239,
    ],
  ],
  [24, [9, 142, 144, 145, 148, 159, 171, 206, 215, 225, 236, 237]],
  [25, [199, 207, 234, 235]],
  [26, [192, 193, 200, 201, 202, 205, 210, 213, 218, 219, 238, 240, 242, 243, 255]],
  [27, [203, 204, 211, 212, 214, 221, 222, 223, 241, 244, 245, 246, 247, 248, 250, 251, 252, 253, 254]],
  [
    28,
    [2, 3, 4, 5, 6, 7, 8, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127, 220, 249],
  ],
  [30, [10, 13, 22]],
];
/** The shortest code has five bits. */
const SHORTEST_CODE = 5;
/** A text ends in at most seven ones, which begin the code of the end-of-string symbol. */
const MOST_PADDING = 7;
/** Above the number of any node of the tree. */
const LEAF = 0x200;

/** Two numbers for each node, for a zero and a one: the next node, or `LEAF` plus a symbol. 0, the root, is not a child. */
const tree: Uint16Array = buildTree();

function buildTree(): Uint16Array {
  const nodes = new Uint16Array(2 * LEAF);
  let count = 1;
  let code = 0;
  let length = 0;
  for (const [ofLength, symbols] of SYMBOLS) {
    for (const symbol of typeof symbols === 'string' ? Buffer.from(symbols, 'latin1') : symbols) {
      code = length === 0 ? 0 : (code + 1) * 2 ** (ofLength - length);
      length = ofLength;
      let node = 0;
      for (let bit = length - 1; bit > 0; bit--) {
        const child = 2 * node + ((code >>> bit) & 1);
        if (nodes[child] === 0) nodes[child] = count++;
        node = nodes[child] ?? 0;
      }
      nodes[2 * node + (code & 1)] = LEAF + symbol;
    }
  }
  return nodes;
}

/** The text of a Huffman code; undefined if it is not one, or if its padding is too long or not of ones. */
export function huffmanDecode(bytes: Uint8Array): Buffer | undefined {
  const text = Buffer.allocUnsafe(Math.floor((bytes.length * 8) / SHORTEST_CODE));
  let length = 0;
  let node = 0;
  let padding = 0;
  let isOnes = true;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const one = (byte >>> bit) & 1;
      const next = tree[2 * node + one] ?? 0;
      if (next === 0) return undefined;
      node = next;
      padding++;
      isOnes &&= one === 1;
      if (next < LEAF) continue;
      text[length++] = next - LEAF;
      node = 0;
      padding = 0;
      isOnes = true;
    }
  }
  return padding <= MOST_PADDING && isOnes ? text.subarray(0, length) : undefined;
}
