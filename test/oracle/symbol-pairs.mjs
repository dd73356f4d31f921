const symbolOfAnyRun = /^<(uid|rv)\d+>$/;

/**
 * Which symbol of a run stands for which symbol of its recording. One instance serves one scenario: a version that was
 * equal to an earlier one in the recording must be equal to the same one here, and a new one must be new.
 */
export class SymbolPairs {
  #byRecorded = new Map();
  #byGiven = new Map();

  /**
   * Whether the values of the field `key` may stand for each other; anything but two symbols may. Two symbols that are
   * both new become a pair. The version of a list (`ofList`) moves with foreign writes, and is not held to its pair.
   */
  admits(key, recorded, given, ofList) {
    if (key !== 'uid' && (key !== 'resourceVersion' || ofList)) return true;
    if (!symbolOfAnyRun.test(recorded) || !symbolOfAnyRun.test(given)) return true;
    const knownGiven = this.#byRecorded.get(recorded);
    const knownRecorded = this.#byGiven.get(given);
    if (knownGiven === undefined && knownRecorded === undefined) {
      this.#byRecorded.set(recorded, given);
      this.#byGiven.set(given, recorded);
      return true;
    }
    return knownGiven === given && knownRecorded === recorded;
  }
}
