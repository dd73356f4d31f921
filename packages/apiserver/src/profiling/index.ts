export { profilePages, type ProfilePages } from './profile-pages.js';
