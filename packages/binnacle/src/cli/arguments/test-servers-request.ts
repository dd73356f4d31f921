export const testServersDescription =
  'run servers for the tests of other languages: reads requests as lines of JSON from standard input, and ends with it';
