/**
 * The entry `sandbank/client`.
 */
export type { CallOptions, ControlCallOptions } from './call.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { SandbankError } from './error.ts';
export type { ControlMethods, V1Methods, V2Methods } from './types.ts';
