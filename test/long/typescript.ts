/** TypeScript 6, for tests outside of this folder that use the compiler as a library: version 7 is a program only. */
export { default } from 'typescript';
