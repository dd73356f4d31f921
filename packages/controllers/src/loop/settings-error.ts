/** A setting is out of its range. The message names its flag and says what to give. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
