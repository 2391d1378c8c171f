/**
 * The entry `sandbank/client`.
 */
export { type Client, type ClientOptions, createClient } from './client.ts';
export { SandbankError } from './error.ts';
export type { CallOptions, ControlMethods, V1Methods, V2Methods } from './types.ts';
