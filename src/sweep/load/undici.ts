// A bundle of its own: only who makes load needs it.
export { Client } from 'undici';
