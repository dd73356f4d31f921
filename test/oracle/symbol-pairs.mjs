const symbolOfAnyRun = /^<(uid|rv)\d+>$/;

/**
 * Maps symbols of a run to symbols of its recording. One instance serves one scenario: a version that was equal to an
 * earlier one in the recording must equal the same one here, and a new one must be new.
 */
export class SymbolPairs {
  #byRecorded = new Map();
  #byGiven = new Map();

  /**
   * Whether the values of the field `key` correspond; true for anything but two symbols. Two new symbols become a
   * pair. Writes of other clients move the version of a list (`ofList`), so it is not compared with its pair.
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
