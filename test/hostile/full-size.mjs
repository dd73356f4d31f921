/** Set by `npm run hostile`: every test at full size. */
export const isFull = Number(process.env.HOSTILE_PODS ?? 0) >= 100_000;
