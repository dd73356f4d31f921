export { createRevision } from './create-revision.js';
export { expiredRevisions, nextRevision, sortRevisions } from './history.js';
export { hasData, restores, revisionData, revisionText, templateOfRevision } from './revision-data.js';
