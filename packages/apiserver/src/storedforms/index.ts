export { type StoredForm, StoredForms, type StoredPlace } from './stored-forms.js';
